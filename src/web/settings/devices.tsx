import { useEffect, useState } from 'preact/hooks';
import { ApiError, get, remove } from '../api.js';
import { appWords } from '../words/app.js';
import { settingsWords } from '../words/settings.js';
import { shareWords } from '../words/share.js';

type Device = {
  readonly id: string;
  readonly name: string;
  readonly role: 'watch' | 'approve' | 'work';
  readonly createdAt: string;
  readonly expiresAt?: string;
  readonly lastUsedAt?: string;
  readonly isCurrent: boolean;
};

/** The paired browsers that this one may end. */
export function DeviceList() {
  const [devices, setDevices] = useState<readonly Device[]>();
  const [problem, setProblem] = useState<string>();
  const fail = (error: unknown) => setProblem(error instanceof ApiError ? error.message : appWords.unreachable);
  const load = () =>
    get<{ devices: readonly Device[] }>('ui/devices').then((answer) => setDevices(answer.devices), fail);
  useEffect(() => void load(), []);
  const end = ({ id, isCurrent }: Device) =>
    void remove(`ui/devices/${encodeURIComponent(id)}`).then(() => (isCurrent ? location.reload() : load()), fail);
  return (
    <section class="devices" aria-labelledby="devices">
      <h3 id="devices" class="hint">
        {settingsWords.devices}
      </h3>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {devices?.length === 0 && <p class="hint">{settingsWords.noDevices}</p>}
      <ul>
        {devices?.map((device) => (
          <li key={device.id} class="device">
            <div>
              <b>{device.name}</b> {device.isCurrent && <span class="hint">{settingsWords.thisOne}</span>}
              <p class="hint">{factsOf(device)}</p>
            </div>
            <button
              type="button"
              class="quiet"
              aria-label={settingsWords.endOf(device.name)}
              onClick={() => end(device)}
            >
              {settingsWords.end}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function factsOf({ role, expiresAt, lastUsedAt }: Device): string {
  const facts: string[] = [shareWords.roles[role].name];
  if (expiresAt !== undefined) facts.push(settingsWords.until(day(expiresAt)));
  facts.push(lastUsedAt === undefined ? settingsWords.neverSeen : settingsWords.seen(day(lastUsedAt)));
  return facts.join(' · ');
}

function day(at: string): string {
  const parts = { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
  return new Intl.DateTimeFormat(undefined, parts).format(new Date(at));
}
