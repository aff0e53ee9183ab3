import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How many of these are still held by anyone, once all that can be forgotten is. */
export async function countLive(objects: readonly WeakRef<object>[]): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  // What a weak reference was made of or asked for lives until the end of the tick.
  await setImmediate();
  collectGarbage();
  return objects.filter((object) => object.deref() !== undefined).length;
}
