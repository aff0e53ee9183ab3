/** Pages without TLS on a network have no clipboard API; the old command still works there. */
export async function copy(text: string): Promise<void> {
  if ('clipboard' in navigator) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  // oxlint-disable-next-line typescript/no-deprecated -- see above
  document.execCommand('copy');
  area.remove();
}
