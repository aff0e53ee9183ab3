import type { ModelRequest, Script } from './model-server.js';
import { call, type ScriptedReply, say, stream, think } from './reply.js';

/** The script of `--demo`: an example of everything a session can show, chosen by a word in the prompt. */
export const demoScript: Script = (request) => {
  const ran = lastToolResult(request);
  if (ran) return afterTool(ran.name, ran.text);
  const asked = lastPrompt(request).toLowerCase();
  const scene = scenes.find(({ words }) => words.test(asked));
  return { pauseMs: 40, ...(scene?.reply() ?? welcome()) };
};

/** The first match is played. */
const scenes: readonly { words: RegExp; reply: () => ScriptedReply }[] = [
  {
    words: /\b(edit|write|create|poem)\b/,
    reply: () => ({
      chunks: [
        [think('Planning an edit', 'A new file is shown as a diff; a client may change it before it approves.')],
        ...stream('I will write a file. Look at the diff, change it if you like, then approve. '),
        [
          call('write_file', {
            file_path: 'cosession-demo.txt',
            content: 'One session,\nmany screens:\nthe first answer wins.\n',
          }),
        ],
      ],
    }),
  },
  {
    words: /\b(shell|run|command|test|list|files?)\b/,
    reply: () => ({
      chunks: [
        [think('Choosing a tool', 'A shell command shows live output, and it has to be approved first.')],
        ...stream('I will run a short shell command. Approve it here or from any client: the first answer wins. '),
        [
          call('run_shell_command', {
            command: 'for i in 1 2 3 4 5; do echo "step $i of 5"; sleep 0.3; done; touch cosession-demo.log',
            description: 'Count to five and touch a file',
          }),
        ],
      ],
    }),
  },
  {
    words: /\b(fail|error|wrong)\b/,
    reply: () => ({
      chunks: [
        ...stream('I will read a file that does not exist, to show a tool that fails. '),
        [call('read_file', { file_path: 'there-is-no-such-file.txt' })],
      ],
    }),
  },
  {
    words: /\b(ask|question)\b/,
    reply: () => ({
      chunks: [
        [
          call('ask_user', {
            questions: [
              {
                question: 'Which store shall I use?',
                header: 'Store',
                type: 'choice',
                options: [
                  { label: 'SQLite', description: 'A file' },
                  { label: 'Postgres', description: 'A server' },
                ],
              },
            ],
          }),
        ],
      ],
    }),
  },
  {
    words: /\b(think|thought|why)\b/,
    reply: () => ({
      chunks: [
        [think('Reading the question', 'Thoughts are streamed too, each with a subject.')],
        [think('Finding an answer', 'A client can show them, fold them or leave them out.')],
        ...stream('That was thinking out loud. Every client saw both thoughts before this text.'),
      ],
      citations: ['https://a2a-protocol.org'],
    }),
  },
];

function welcome(): ScriptedReply {
  return {
    chunks: [
      [think('Saying hello', 'This is the offline demo model of Cosession.')],
      ...stream(
        'I am the demo model of Cosession: a script, not a language model. No key and no network are used. ' +
          'Ask me to **run** a shell command, **edit** a file, **fail**, **ask** a question or **think**; ' +
          'everything you see here, every connected client sees too.',
      ),
    ],
  };
}

function afterTool(name: string, result: string): ScriptedReply {
  const isDenied = /cancel|denied|declin/i.test(result);
  if (isDenied) return { pauseMs: 40, chunks: stream('You said no, so I left everything as it was.') };
  if (/error|not found|no such file/i.test(result))
    return { pauseMs: 40, chunks: stream(`The tool ${name} failed, as promised.`) };
  return { pauseMs: 40, chunks: [...stream(`Done: ${name} has finished. `), [say('What next?')]] };
}

/** The text of the newest message, without what the CLI adds before it. */
export function lastPrompt({ contents }: ModelRequest): string {
  const texts = contents.at(-1)?.parts.flatMap((part) => (part.text === undefined ? [] : [part.text])) ?? [];
  return texts.at(-1) ?? '';
}

/** The tool result in the newest message, if there is one. */
export function lastToolResult({ contents }: ModelRequest): { name: string; text: string } | undefined {
  const response = contents.at(-1)?.parts.findLast((part) => part.functionResponse)?.functionResponse;
  return response && { name: response.name, text: JSON.stringify(response.response ?? {}) };
}
