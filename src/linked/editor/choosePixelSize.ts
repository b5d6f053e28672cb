import * as vscode from 'vscode';
import { parsePixelSize } from '../../results/node/pixelSize';
import type { ResultChoices } from '../../results/node/resultChoices';
import type { ResultSource } from '../node/resultSource';
import { CodedError } from '../../base/errors';
import { pathOfImage, type MaskImage } from '../../masks/masksSummary';
import { showInputBox } from '../../host/editor/surfaces/inputBox';

/** Asks the user for µm per pixel of an image; an empty field removes what was entered before. Throws `bad-request`. */
export async function choosePixelSize(
  choices: ResultChoices,
  source: ResultSource,
  image: MaskImage | undefined,
): Promise<{ pixelSize: number | null }> {
  if (!image) throw new CodedError('bad-request', 'There is no such image');
  const before = (await choices.pixelSizes(source))[image.id];
  const typed = await showInputBox({
    title: vscode.l10n.t('Pixel Size of {0}', pathOfImage(image)),
    prompt: vscode.l10n.t('µm per pixel. Leave empty if unknown.'),
    value: before === undefined ? '' : String(before),
    validateInput: value =>
      value.trim() === '' || parsePixelSize(value) !== undefined
        ? undefined
        : vscode.l10n.t('A number above 0, such as 0.325'),
  });
  if (typed === undefined) return { pixelSize: before ?? null };
  const size = parsePixelSize(typed);
  await choices.setPixelSize(source, image.id, size);
  return { pixelSize: size ?? null };
}
