import { Component, type ComponentType } from 'preact';

/** Draws again only if a property is another object or value: `memo` of preact/compat, without the rest of it. */
export function memo<P extends object>(Draw: ComponentType<P>): ComponentType<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const now: Readonly<P> = this.props;
      return keysOf(next).some((key) => next[key] !== now[key]);
    }

    override render() {
      return <Draw {...this.props} />;
    }
  };
}

function keysOf<P extends object>(props: P): (keyof P)[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Object.keys` forgets the names
  return Object.keys(props) as (keyof P)[];
}
