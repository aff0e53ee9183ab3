import type { Principal } from '../../auth/principal.js';
import { RecentMap } from '../../util/recent-map.js';

export type VisiblePage = {
  readonly principal: Principal;
  /** The task that it shows. A list shows all. */
  readonly taskId?: string | undefined;
};

const maxPages = 1000;
/** A page says every 30 s that it is still visible. One that has crashed cannot say that it is not. */
const believedForMs = 75_000;

/** The pages that somebody may be looking at. Whoever looks needs no alert. */
export class VisiblePages {
  readonly #pages = new RecentMap<string, VisiblePage & { readonly until: number }>(maxPages);

  note(id: string, isVisible: boolean, page: VisiblePage): void {
    const key = `${page.principal.id} ${id}`;
    this.#pages.delete(key);
    if (isVisible) this.#pages.set(key, { ...page, until: performance.now() + believedForMs });
  }

  /** The pages that show this task. */
  *showing(taskId: string): Generator<VisiblePage> {
    const now = performance.now();
    for (const page of this.#pages.values())
      if (page.until > now && (page.taskId === undefined || page.taskId === taskId)) yield page;
  }
}
