/** A hidden page draws no frames. It still has to change its title. */
const hiddenMs = 250;

/** Calls `run` once for all calls since the last frame. */
export function onePerFrame(run: () => void): () => void {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    const go = (): void => {
      isWaiting = false;
      run();
    };
    if (document.hidden) setTimeout(go, hiddenMs);
    else requestAnimationFrame(go);
  };
}
