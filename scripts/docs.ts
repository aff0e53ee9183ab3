// npm run docs: writes docs/errors.md from the error table, so that the two cannot differ.
import { writeFileSync } from 'node:fs';
import { errorsPage } from '../test/support/errors-page.js';

writeFileSync('docs/errors.md', await errorsPage());
