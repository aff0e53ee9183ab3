import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { SlashCommand } from '../../client/client.js';
import { may, type Me } from '../me.js';
import type { Dialogs } from '../screens.js';
import type { SessionHandle } from '../story/session-handle.js';
import { runningTurn, turnsOnThread } from '../story/story.js';
import { findTurns, goTo } from '../story/find.js';
import { setTheme } from '../theme.js';
import { readable } from '../ui/readable.js';
import { Dialog } from '../ui/dialog.js';
import { paletteWords as w } from '../words/palette.js';
import { matching, type PaletteItem, slashItems } from './items.js';

type PaletteProps = {
  readonly handle: SessionHandle;
  readonly me: Me;
  /** What is in the field at first. */
  readonly start: string;
  readonly onShow: (dialog: Dialogs) => void;
  readonly onList: (() => void) | undefined;
  readonly onProblem: (message: string | undefined) => void;
  readonly onClose: () => void;
};

/** Everything that can be done, by name: the page's own commands, the agent's slash commands, and turns to go to. */
export function Palette({ handle, me, start, onShow, onList, onProblem, onClose }: PaletteProps) {
  const [text, setText] = useState(start);
  const [at, setAt] = useState(0);
  const [commands, setCommands] = useState<readonly SlashCommand[]>([]);
  const list = useRef<HTMLUListElement>(null);
  // The server lets nobody else run them.
  const mayRun = may(me, 'admin');
  useEffect(() => {
    if (mayRun) void handle.commands().then(setCommands, () => {});
  }, []);
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: 'nearest' }), [at]);
  const attempt = (work: Promise<unknown>): void => {
    onProblem(undefined);
    work.catch((error: unknown) => onProblem(error instanceof Error ? error.message : String(error)));
  };
  const own: PaletteItem[] = [
    ...(runningTurn(handle.story) && may(me, 'prompt')
      ? [{ name: w.stop, hint: w.stopHint, run: () => attempt(handle.stop()) }]
      : []),
    ...(may(me, 'prompt') ? [{ name: w.share, hint: w.shareHint, run: () => onShow('share') }] : []),
    { name: w.settings, hint: w.settingsHint, run: () => onShow('settings') },
    ...(mayRun ? [{ name: w.activity, hint: w.activityHint, run: () => onShow('activity') }] : []),
    ...(onList ? [{ name: w.list, hint: '', run: onList }] : []),
    { name: w.theme, hint: w.themeHint, run: flipTheme },
  ];
  const items = useMemo(() => {
    const slash = slashItems(commands, text, (path, args) => attempt(handle.run(path, args)));
    if (text.startsWith('/')) return slash;
    const turns = text.trim() === '' ? [] : findTurns(turnsOnThread(handle.story), text).slice(-maxTurns);
    return [...matching([...own, ...slash], text), ...turns.map(({ id, prompt }) => turnItem(id, prompt?.text ?? ''))];
  }, [text, commands]);
  const pick = (item: PaletteItem | undefined): void => {
    if (!item) return;
    onClose();
    item.run();
  };
  return (
    <Dialog label={w.label} class="palette" onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-items"
        aria-activedescendant={items[at] ? `palette-${at}` : undefined}
        aria-label={w.find}
        placeholder={w.find}
        autocomplete="off"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step === undefined && event.key !== 'Enter') return;
          event.preventDefault();
          if (step === undefined) pick(items[at]);
          else setAt(Math.min(items.length - 1, Math.max(0, at + step)));
        }}
      />
      <ul id="palette-items" role="listbox" aria-label={w.label} ref={list}>
        {items.map((item, index) => (
          <li
            key={index}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === at}
            onMouseMove={() => setAt(index)}
            onClick={() => pick(item)}
          >
            <span class={item.name.startsWith('/') ? 'mono' : ''}>{item.name}</span>
            <small>{item.hint}</small>
          </li>
        ))}
      </ul>
      {items.length === 0 && <p class="hint">{w.nothing}</p>}
    </Dialog>
  );
}

const maxTurns = 10;

function turnItem(id: string, text: string): PaletteItem {
  return { name: `› ${readable(text)}`, hint: '', run: () => goTo(id) };
}

function flipTheme(): void {
  const isDark = getComputedStyle(document.documentElement).colorScheme === 'dark' || prefersDark();
  setTheme(isDark ? 'light' : 'dark');
}

function prefersDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === undefined && matchMedia('(prefers-color-scheme: dark)').matches;
}
