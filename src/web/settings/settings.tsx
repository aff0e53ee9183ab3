import { useState } from 'preact/hooks';
import { may } from '../me.js';
import { keepName } from '../kept-name.js';
import type { ScreenProps } from '../screens.js';
import { setTheme, theme, type Theme } from '../theme.js';
import { Dialog } from '../ui/dialog.js';
import { settingsWords } from '../words/settings.js';
import { appWords } from '../words/app.js';
import { shareWords } from '../words/share.js';
import { AlertsRow } from './alerts.js';
import { DeviceList } from './devices.js';

const themes: readonly Theme[] = ['auto', 'light', 'dark'];

/** What belongs to this browser, and which others are paired. */
export function SettingsScreen({ me, onShow, onClose }: ScreenProps['settings']) {
  return (
    <Dialog label={settingsWords.title} onClose={onClose}>
      <h2 class="dialog-title">{settingsWords.title}</h2>
      <ThemeRow />
      <NameRow name={me.name} />
      <AlertsRow />
      <DeviceList />
      {may(me, 'admin') && (
        <div class="settings-row">
          <button type="button" class="plain" onClick={() => onShow('activity')}>
            {settingsWords.activity}
          </button>
        </div>
      )}
      <div class="settings-end">
        <span class="hint">{`${appWords.name} ${me.version}`}</span>
        <button type="button" class="plain" onClick={onClose}>
          {shareWords.done}
        </button>
      </div>
    </Dialog>
  );
}

function ThemeRow() {
  const [chosen, setChosen] = useState(theme);
  const choose = (value: Theme) => {
    setTheme(value);
    setChosen(value);
  };
  return (
    <fieldset class="pills">
      <legend>{settingsWords.theme}</legend>
      {themes.map((value) => (
        <label key={value}>
          <input type="radio" name="theme" checked={chosen === value} onChange={() => choose(value)} />
          <span>{settingsWords.themes[value]}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** The name is sent when the page connects, so a new one begins with a new connection. */
function NameRow({ name }: { name: string }) {
  const [typed, setTyped] = useState(name);
  const save = (event: Event) => {
    event.preventDefault();
    keepName(typed.trim());
    location.reload();
  };
  return (
    <form class="settings-row" onSubmit={save}>
      <label>
        <span class="hint">{settingsWords.name}</span>
        <input
          class="field"
          value={typed}
          maxLength={40}
          autocomplete="off"
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="plain" disabled={typed.trim() === name}>
        {settingsWords.save}
      </button>
    </form>
  );
}
