import type { ReadonlySignal } from '@preact/signals';
import type { FilterSet } from '../../../columns/filterSets';
import type { CompareModelOptions, CompareState } from '../../../conditions/page/compareModel';
import { editParams, type ImageColumnsOptions } from '../../../conditions/page/imageColumnsModel';
import { failureWords } from '../../../conditions/page/imageWords';
import type { ModelParts } from '../modelParts';
import type { RowFocus } from '../rowFocus';

interface ImagesParts extends ModelParts {
  rows: RowFocus;
}

interface ComparedParts extends ImagesParts {
  filterSets: ReadonlySignal<readonly FilterSet[]>;
  /** Texts of a column, most frequent first. */
  textsOf: (column: number, limit: number, until?: AbortSignal) => Promise<string[]>;
}

/** The table as a comparison of conditions sees it. */
export function comparedTable(parts: ComparedParts, state: CompareState | undefined): CompareModelOptions {
  const { model, panel, port, messages, rows, filterSets, textsOf } = parts;
  return {
    source: model,
    filterSets,
    panel: {
      compareStart: until => panel.request('compareStart', {}, until),
      pixelSizesDiffer: async until => (await panel.request('pixelSizesDiffer', {}, until)).differ,
      tableCompare: (params, until) => panel.request('tableCompare', params, until),
      textsOf,
    },
    state,
    save: compare => port.updateView({ compare }),
    log: error => messages.log(error),
    enterRows: () => rows.enterGrid(),
  };
}

/** The table's images as the sheet of what is known of them sees them. */
export function imagesOfTable(parts: ImagesParts, isOpen: boolean): ImageColumnsOptions {
  const { text, panel, port, messages, rows } = parts;
  return {
    panel: {
      imageColumns: () => panel.request('imageColumns', {}),
      editImages: params => panel.request('editImages', editParams(params)),
      joinSampleSheet: params => panel.request('joinSampleSheet', params),
      saveSampleSheet: () => panel.request('saveSampleSheet', {}),
    },
    isOpen,
    save: areImagesShown => port.updateView({ areImagesShown }),
    copy: copied =>
      void panel
        .request('copy', { text: copied })
        .catch((error: unknown) => messages.failed('copyFailed', error)),
    onSaved: (name, saved) => messages.say(text.count('sheetSaved', saved, name)),
    onFailure: error => messages.say(text.get('imageEditFailed', failureWords(text, error)), true),
    enterRows: () => rows.enterGrid(),
  };
}
