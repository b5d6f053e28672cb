import { readFile } from 'node:fs/promises';
import type { Frame, Page } from 'playwright-core';

/** What axe finds wrong in a page as it stands, in short; `without` names rules that are not to be judged here. */
export async function accessibilityFaults(page: Frame | Page, ...without: string[]): Promise<string[]> {
  // The page's own policy lets no script in but its own; the debugger may.
  await page.evaluate(await readFile('node_modules/axe-core/axe.min.js', 'utf8'));
  const rules = Object.fromEntries(without.map(rule => [rule, { enabled: false }]));
  return page.evaluate(
    `axe.run(document, { rules: ${JSON.stringify(rules)} }).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.slice(0, 5).map(node => id + ': ' + node.html.slice(0, 160) + ' ' + node.any.map(each => each.message).join(' '))))`,
  );
}
