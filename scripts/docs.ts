// npm run docs: writes the parts of docs/ that are generated from the code. A test compares the two.
import { readFileSync, writeFileSync } from 'node:fs';
import { withChecklist } from '../test/support/checklist-table.js';
import { httpApiPage, webSocketApiPage } from '../test/support/api-pages.js';
import { commandLinePage } from '../test/support/command-line-page.js';
import { errorsPage } from '../test/support/errors-page.js';
import { manPage } from '../test/support/man-page.js';
import { withTests } from '../test/support/requirements-page.js';
import { withServeFlags } from '../test/support/serve-flags-table.js';

writeFileSync('docs/command-line.md', await commandLinePage());
writeFileSync('man/cosession.1', manPage());
writeFileSync('docs/errors.md', await errorsPage());
writeFileSync('docs/http-api.md', await httpApiPage());
writeFileSync('docs/websocket-api.md', await webSocketApiPage());
writeFileSync('docs/conformance.md', await withChecklist(readFileSync('docs/conformance.md', 'utf8')));
writeFileSync('docs/server.md', await withServeFlags(readFileSync('docs/server.md', 'utf8')));
writeFileSync('docs/requirements.md', await withTests(readFileSync('docs/requirements.md', 'utf8')));
