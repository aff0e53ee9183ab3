import * as z from 'zod';
import type { Principal } from '../../auth/principal.js';
import type { Peers } from '../../domain/peers.js';
import { RecentMap } from '../../util/recent-map.js';

export type VisiblePage = {
  readonly principal: Principal;
  /** The task that it shows. A list shows all. */
  readonly taskId?: string | undefined;
};

const topic = 'visible';
const told = z.object({ id: z.string(), isVisible: z.boolean(), page: z.custom<VisiblePage>() });

const maxPages = 1000;
/** A page says every 30 s that it is still visible. One that has crashed cannot say that it is not. */
const believedForMs = 75_000;

/** The pages that somebody may be looking at. Anyone who looks at a page needs no alert. */
export class VisiblePages {
  readonly #pages = new RecentMap<string, VisiblePage & { readonly until: number }>(maxPages);
  readonly #peers: Peers | undefined;

  /** Pages report to any of several servers, and one of those runs the task. */
  constructor(peers?: Peers) {
    this.#peers = peers;
    peers?.onTold(topic, (about) => {
      const { id, isVisible, page } = told.parse(about);
      this.#note(id, isVisible, page);
    });
  }

  note(id: string, isVisible: boolean, page: VisiblePage): void {
    this.#note(id, isVisible, page);
    this.#peers?.tell(topic, { id, isVisible, page });
  }

  /** The pages that show this task. */
  *showing(taskId: string): Generator<VisiblePage> {
    const now = performance.now();
    for (const page of this.#pages.values())
      if (page.until > now && (page.taskId === undefined || page.taskId === taskId)) yield page;
  }

  #note(id: string, isVisible: boolean, page: VisiblePage): void {
    const key = `${page.principal.id} ${id}`;
    this.#pages.delete(key);
    if (isVisible) this.#pages.set(key, { ...page, until: performance.now() + believedForMs });
  }
}
