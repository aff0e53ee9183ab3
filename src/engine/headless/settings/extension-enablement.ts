import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';

const enablementFile = z.record(z.string(), z.object({ overrides: z.array(z.string()) }));

export type Enablement = z.infer<typeof enablementFile>;

/** `extension-enablement.json`: the paths where the user switched each extension on or off. */
export function readEnablement(path: string): Enablement {
  if (!existsSync(path)) return {};
  return enablementFile.parse(JSON.parse(readFileSync(path, 'utf8')));
}

/** Extensions are on by default. The last rule that matches the workspace wins. */
export function isEnabled(name: string, workspace: string, enablement: Enablement): boolean {
  const rules = Object.hasOwn(enablement, name) ? (enablement[name]?.overrides ?? []) : [];
  const last = rules.findLast((rule) => pattern(rule).test(withSlashes(workspace)));
  return last === undefined || !last.startsWith('!');
}

/** A rule is a folder with slashes at both ends. `!` switches off; `*` at the end includes all folders below. */
function pattern(rule: string): RegExp {
  const path = rule.replace(/^!/, '');
  const source = path.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/(\/?)\*/g, '($1.*)?');
  return new RegExp(`^${source}$`);
}

function withSlashes(folder: string): string {
  return `/${folder.replaceAll('\\', '/')}/`.replaceAll(/^\/+|\/+$/g, '/');
}
