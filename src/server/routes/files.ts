import * as z from 'zod';
import { check } from '../../dialects/shared/message.js';
import { unknownTask } from '../../tasks/sessions.js';
import type { WorkspaceFiles } from '../../tasks/workspace-files.js';
import { principalOf } from '../guards/admission.js';
import type { SessionsFor } from '../http/caller.js';
import { type Route, route } from './route.js';

export type FilesContext = { readonly sessionsFor: SessionsFor; readonly files: WorkspaceFiles };

const filesQuery = z.object({
  q: z.string().max(256).default('').describe('a part of the path'),
  count: z.coerce.number().int().min(1).max(100).default(10).describe('how many at most'),
});

/** Completes `@` and a part of a path in a prompt. Anyone who may prompt can make the agent list files anyway. */
export const fileRoutes: readonly Route<FilesContext>[] = [
  route({
    name: 'findFiles',
    method: 'GET',
    path: '/tasks/:taskId/files',
    scope: 'prompt',
    summary: 'Find files of the workspace by a part of their path',
    query: filesQuery,
    answer: {
      status: 200,
      meaning: 'paths relative to the workspace, best first; files that `.gitignore` names are left out',
      json: z.object({ files: z.array(z.string()) }),
    },
    async handle({ sessionsFor, files }: FilesContext, request, response) {
      const { taskId } = request.params;
      const { q, count } = check(filesQuery, request.query, 'the query');
      const session = await sessionsFor(principalOf(request)).view(taskId);
      if (!session) throw unknownTask(taskId);
      const { workspace } = session.snapshot;
      response.json({ files: workspace === undefined ? [] : await files.find(workspace, q, count) });
    },
  }),
];
