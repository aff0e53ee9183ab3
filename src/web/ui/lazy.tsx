import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Draws a component once its file has been loaded. A file that cannot be loaded is retried when `load` changes. */
export function Lazy<P extends object>({ load, props }: { load: () => Promise<ComponentType<P>>; props: P }) {
  // In an object, because a function given to a state setter would be called.
  const [loaded, setLoaded] = useState<{ readonly Screen: ComponentType<P> }>();
  useEffect(() => {
    let isCurrent = true;
    void load().then((Screen) => isCurrent && setLoaded({ Screen }));
    return () => {
      isCurrent = false;
    };
  }, [load]);
  return loaded ? <loaded.Screen {...props} /> : null;
}
