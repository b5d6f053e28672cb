import type { Page } from 'playwright-core';

/**
 * A page with nothing in it but a canvas that gets another color with each gesture: what a gesture
 * costs anyhow.
 */
export async function openEmptyPage(beside: Page): Promise<Page> {
  const page = await beside.context().newPage();
  await page.setContent('<canvas width="900" height="700" style="width: 900px; height: 700px"></canvas>');
  await page.evaluate(() => {
    const context = document.querySelector('canvas')?.getContext('2d');
    let turn = 0;
    const paint = () =>
      requestAnimationFrame(() => {
        if (!context) return;
        context.fillStyle = `hsl(${(turn += 77) % 360} 80% 50%)`;
        context.fillRect(0, 0, 900, 700);
      });
    for (const type of ['pointerup', 'keydown', 'pointermove']) addEventListener(type, paint);
  });
  return page;
}
