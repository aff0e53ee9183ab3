import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { appWords } from '../words/app.js';

type LazyProps<P extends object> = {
  /** The same function each time. */
  readonly load: () => Promise<ComponentType<P>>;
  readonly props: P;
};

/** Draws a component once its file has been loaded. After an update of the server, the old file may be gone. */
export function Lazy<P extends object>({ load, props }: LazyProps<P>) {
  // In an object, because a function given to a state setter would be called.
  const [loaded, setLoaded] = useState<{ readonly Screen?: ComponentType<P> }>();
  useEffect(() => {
    let isCurrent = true;
    const show = (Screen?: ComponentType<P>): void => {
      if (isCurrent) setLoaded(Screen ? { Screen } : {});
    };
    load().then(show, () => show());
    return () => {
      isCurrent = false;
    };
  }, [load]);
  if (!loaded) return null;
  if (loaded.Screen) return <loaded.Screen {...props} />;
  return (
    <p class="problem center" role="alert">
      {appWords.notLoaded}{' '}
      <button type="button" class="quiet" onClick={() => location.reload()}>
        {appWords.reload}
      </button>
    </p>
  );
}
