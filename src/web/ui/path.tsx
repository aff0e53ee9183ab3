/** A file: the last folders, and its name in the foreground. The whole path is its title. */
export function Path({ path }: { path: string }) {
  return <Parts path={path} parts={path.split('/').filter(Boolean).slice(-3)} />;
}

/** A file that somebody decides on: its whole path, from the folder that the agent works in, or from the root. */
export function WholePath({ path, workspace }: { path: string; workspace: string | undefined }) {
  const isInside = workspace !== undefined && path.startsWith(`${workspace}/`);
  const shown = isInside ? path.slice(workspace.lastIndexOf('/') + 1) : path;
  return <Parts path={path} parts={shown.split('/')} />;
}

function Parts({ path, parts }: { path: string; parts: readonly string[] }) {
  return (
    <span class="path mono" title={path}>
      {parts.slice(0, -1).map((part) => `${part}/`)}
      <b>{parts.at(-1) ?? path}</b>
    </span>
  );
}
