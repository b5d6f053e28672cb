import { t } from '../../pages/page/l10n';
import { findRowColumns } from '../../columns/rowColumns';
import { type TableUnits, unitOfColumn } from '../../columns/pixelMeasures';
import type { CompareModelOptions } from './compareModel';
import type { CompareState } from './comparisonChoices';
import { editParams, type ImageColumnsOptions } from './imageColumnsModel';
import { failureWords } from './imageWords';
import type { OpenedParts } from '../../table/page/contribution';
import type { ModelParts } from '../../table/page/modelParts';
import type { RowFocus } from '../../table/page/rowFocus';
import type { TableViewState } from '../../table/page/tableViewState';

interface ImagesDependencies extends ModelParts {
  rows: RowFocus;
  /** Returns to the comparison that the sheet was opened from. */
  enterComparison: () => void;
}

/** The data and requests of a comparison, from the table's page. */
export function comparedTable(parts: OpenedParts, state: CompareState | undefined): CompareModelOptions {
  const { model, panel, port, messages, rows, populations, textsOf, link, start } = parts;
  const isOfService = start.kind === 'objects' && start.ofPairs !== true;
  const units = (): TableUnits => {
    const { areaRatio, areaRatioConstant } = link.report.value ?? {};
    const { area } = findRowColumns(model.table.columns);
    const name = area === undefined ? undefined : model.table.columns[area]?.name;
    // If the ratio varies between rows, areas have no pixel unit.
    const ratio = areaRatioConstant === false ? NaN : areaRatio;
    return {
      isOfService,
      ...(name !== undefined && ratio !== undefined && { area: { name, ratio } }),
    };
  };
  return {
    source: {
      get table() {
        return model.table;
      },
      get statisticsFilters() {
        return model.statisticsFilters;
      },
      unitOf: name => {
        const column = model.table.columns.find(column => column.name === name);
        return column?.unit ?? unitOfColumn(name, units());
      },
    },
    populations: populations.all,
    panel: {
      studyColumns: abortSignal => panel.request('studyColumns', {}, abortSignal),
      pixelSizesDiffer: async abortSignal =>
        (await panel.request('pixelSizesDiffer', {}, abortSignal)).differ,
      tableCompare: (params, abortSignal) => panel.request('tableCompare', params, abortSignal),
      textsOf,
    },
    state,
    save: compare => port.updateView({ compare }),
    log: error => messages.log(error),
    enterRows: () => rows.enterGrid(),
  };
}

type ImagesView = Pick<TableViewState, 'areImagesShown' | 'areImagesFromComparison'>;

/** The data and requests of the sheet of images, from the table's page. */
export function imagesOfTable(parts: ImagesDependencies, view: ImagesView): ImageColumnsOptions {
  const { panel, port, messages, rows, enterComparison } = parts;
  return {
    panel: {
      imageColumns: () => panel.request('imageColumns', {}),
      editImages: params => panel.request('editImages', editParams(params)),
      joinSampleSheet: params => panel.request('joinSampleSheet', params),
      saveSampleSheet: () => panel.request('saveSampleSheet', {}),
    },
    isOpen: view.areImagesShown === true,
    isFromComparison: view.areImagesFromComparison === true,
    save: (areImagesShown, areImagesFromComparison) =>
      port.updateView({ areImagesShown, areImagesFromComparison }),
    copy: text =>
      void panel
        .request('copy', { text })
        .catch((error: unknown) => messages.failed(t.later("Couldn't copy: {0}"), error)),
    onSaved: (name, saved) =>
      messages.say(t.count(saved, '1 image saved as {1}', '{0} images saved as {1}', name)),
    onFailure: error => messages.say(t("Couldn't change the image columns: {0}", failureWords(error)), true),
    enterRows: () => rows.enterGrid(),
    enterComparison,
  };
}
