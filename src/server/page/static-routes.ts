import { AppError } from '../../domain/errors.js';
import { type Route, route } from '../routes/route.js';
import type { PageFile, PageFiles } from './page-files.js';
import { sendFile } from './send-file.js';

export type StaticContext = { readonly files: () => PageFiles };

/** The files of the page. They hold no secret, so anyone may load them; what they show needs credentials. */
export const staticRoutes: readonly Route<StaticContext>[] = [
  route({
    method: 'GET',
    path: '/',
    scope: 'anyone',
    handle({ files }: StaticContext, { headers }, response) {
      if (!/\btext\/html\b/i.test(headers.accept ?? ''))
        throw new AppError(
          'not-found',
          'GET / is a page for browsers; programs begin with /.well-known/agent-card.json',
        );
      sendFile(fileIn(files(), 'index.html'), headers, response);
    },
  }),
  // Must come after the other routes below /ui.
  route({
    method: 'GET',
    path: '/ui/*file',
    scope: 'anyone',
    handle({ files }: StaticContext, { params, headers }, response) {
      const name = params.file.join('/');
      const file = fileIn(files(), name);
      // It is in /ui, and serves the whole page, which is one level above.
      if (name === 'sw.js') response.setHeader('service-worker-allowed', '../');
      sendFile(file, headers, response);
    },
  }),
];

function fileIn(files: PageFiles, name: string): PageFile {
  const file = files.get(name);
  if (file) return file;
  throw new AppError(
    'not-found',
    files.size === 0 ? 'the page is not part of this build: dist/web is missing' : `the page has no file "${name}"`,
  );
}
