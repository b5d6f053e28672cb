import * as assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import type { Workbench } from './workbench';

/**
 * Compares a masks archive with a file or folder that is selected with it, by which it is judged.
 */
export async function compareInExplorer(
  workbench: Workbench,
  reference: string,
  archive: string,
): Promise<Frame> {
  await workbench.explorerMenu([reference, archive], 'Image Analysis', 'Compare Masks…');
  await chooseReference(workbench, reference);
  return await workbench.panel(`${reference} vs. ${archive}`);
}

/** Says which of the two is the one by which the other is judged. */
export async function chooseReference({ quickInput }: Workbench, reference: string): Promise<void> {
  await quickInput.titled('Compare Masks');
  await quickInput.choose(reference);
}

/**
 * Opens a masks archive, and the dialog for what its masks are compared with, by the button above
 * them.
 */
export async function compareFromMasks(
  workbench: Workbench,
  archive: string,
  reference: 'File…' | 'Folder…',
): Promise<void> {
  await workbench.explorerMenu([archive], 'Image Analysis', 'Open Masks Archive');
  const masks = await workbench.panel(`Masks of ${archive}`);
  await masks.getByRole('button', { name: 'Compare Masks…' }).click();
  await workbench.quickInput.titled('Compare Masks');
  await workbench.quickInput.choose(reference);
}

/**
 * Waits for the counts of the image in view, such as "Matched 2, Only A 1, Only B 1, Split 1,
 * Merged 0".
 */
export async function showsOutcomes(panel: Frame, expected: string): Promise<void> {
  for (const outcome of expected.split(', '))
    await panel.getByRole('button', { name: outcome, exact: true }).waitFor();
  const texts = await panel.locator('.outcome').allInnerTexts();
  assert.equal(texts.map(text => text.replace(/\s+/g, ' ').trim()).join(', '), expected);
}
