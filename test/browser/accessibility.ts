import { readFile } from 'node:fs/promises';
import type { Frame, Page } from 'playwright-core';

/** The violations that axe finds in a page, in short; `without` names rules to leave out. */
export async function accessibilityFaults(page: Frame | Page, ...without: string[]): Promise<string[]> {
  // The page's content security policy allows only its own scripts; the debugger may inject others.
  await page.evaluate(await readFile('node_modules/axe-core/axe.min.js', 'utf8'));
  const rules = Object.fromEntries(without.map(rule => [rule, { enabled: false }]));
  return page.evaluate(
    `axe.run(document, { rules: ${JSON.stringify(rules)} }).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.slice(0, 5).map(node => id + ': ' + node.html.slice(0, 160) + ' ' + node.any.map(each => each.message).join(' '))))`,
  );
}
