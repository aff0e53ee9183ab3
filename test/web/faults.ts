import type { Page } from 'playwright-core';

type Axe = { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };

/** What is wrong with the screen as it is: barriers, sideways scrolling, targets that are too small. axe must be loaded. */
export async function faultsOf(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const axeCore = Reflect.get(window, 'axe') as Axe;
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const { violations } = await axeCore.run({ runOnly: tags });
    const barriers = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    const isWide = document.documentElement.scrollWidth > innerWidth;
    const targets = Array.from(document.querySelectorAll('button, a[href], input, summary, [role=option]'));
    const small = targets.filter((target) => {
      // A press anywhere on its label is a press on an input.
      const { width, height } = (target.closest('label') ?? target).getBoundingClientRect();
      const isInText = target.matches('p a, li a');
      return width > 0 && !isInText && (width < 24 || height < 24);
    });
    return [
      ...barriers,
      ...(isWide ? ['it scrolls sideways'] : []),
      ...small.map((target) => `too small: ${target.outerHTML}`),
    ];
  });
}
