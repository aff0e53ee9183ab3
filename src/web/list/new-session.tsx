import { useState } from 'preact/hooks';
import { post } from '../api.js';
import { Dialog } from '../ui/dialog.js';
import { listWords } from '../words/list.js';
import { appWords } from '../words/app.js';

type NewSessionProps = { readonly onOpen: (taskId: string) => void; readonly onClose: () => void };

/** Asks for the folder of a new session. The server decides which folders it serves. */
export function NewSession({ onOpen, onClose }: NewSessionProps) {
  const [folder, setFolder] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const create = async (): Promise<void> => {
    setBusy(true);
    setProblem('');
    try {
      const place = folder.trim();
      const { taskId } = await post<{ taskId: string }>(
        'tasks',
        place === '' ? {} : { agentSettings: { workspacePath: place } },
      );
      onOpen(taskId);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  };
  return (
    <Dialog label={listWords.newSession} onClose={onClose}>
      <form
        class="new-session"
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <h2>{listWords.newSession}</h2>
        <label>
          {listWords.folder}
          <input
            class="field mono"
            value={folder}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            placeholder={listWords.ownFolder}
            onInput={(event) => setFolder(event.currentTarget.value)}
          />
        </label>
        {problem !== '' && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <div class="list-answers">
          <button type="submit" class="primary" disabled={isBusy}>
            {listWords.create}
          </button>
          <button type="button" class="plain" onClick={onClose}>
            {appWords.close}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
