/** A file: the last folders, and its name in the foreground. The whole path is its title. */
export function Path({ path }: { path: string }) {
  const parts = path.split('/').filter(Boolean).slice(-3);
  const name = parts.pop() ?? path;
  return (
    <span class="path mono" title={path}>
      {parts.map((part) => `${part}/`)}
      <b>{name}</b>
    </span>
  );
}
