const width = 16;

/** Returns the results in the order of the items. Runs `width` requests at a time. */
export async function inParallel<T, R>(items: readonly T[], request: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += width) {
    results.push(...(await Promise.all(items.slice(start, start + width).map(request))));
  }
  return results;
}
