/** The same function, but its errors go to `onError` instead of the caller. */
export function safely<A extends unknown[]>(
  run: (...args: A) => void,
  onError: (error: unknown) => void,
): (...args: A) => void {
  return (...args) => {
    try {
      run(...args);
    } catch (error) {
      onError(error);
    }
  };
}
