import { expect, test } from 'vitest';
import { safeLink } from '../../src/web/markdown/safe-link.js';

test.each(['https://example.com/a', 'HTTP://example.com', 'mailto:a@example.com'])('%s may be followed', (href) => {
  expect(safeLink(href)).toBeInstanceOf(URL);
});

test.each([
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://example.com/1',
  '/relative',
  '//example.com',
  '#pair=ABCDEFGH',
  '',
])('%j is shown as text', (href) => {
  expect(safeLink(href)).toBeUndefined();
});
