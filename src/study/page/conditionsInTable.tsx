import { t } from '../../pages/page/l10n';
import { computed } from '@preact/signals';
import { PartKey } from '../../base/parts';
import { findRowColumns } from '../../columns/rowColumns';
import type { Filter } from '../../columns/viewSpec';
import { CompareModel } from './compareModel';
import type { ComparePartProps } from './comparePartProps';
import { ImageColumnsModel } from './imageColumnsModel';
import { micronName, pixelUnit } from '../../columns/pixelMeasures';
import { columnName } from '../../pages/page/columnName';
import { Button, LinkButton } from '../../pages/page/widgets/parts';
import type { ComparisonParams } from '../conditionRequests';
import type { ConditionsMenuCommand } from '../conditionsMenu';
import type { AddedButton, OpenedParts, OverRows, TableContribution } from '../../table/page/contribution';
import { filterListWords } from '../../table/page/controls/filterChips';
import type { PageFilter } from '../../table/page/filterList';
import type {} from '../conditionsPage';
import { GroupedImages } from './groupedImages';
import { measuredImages } from './measuredImages';
import { imageMeasuresOfPlots } from '../../drawing/page/plottedTable';
import { comparedTable, imagesOfTable } from './comparedTable';
import type { conditionsLater } from './conditionsLater';
import { savedConditions, undoneComparison } from './conditionsSaved';

declare module '../../table/page/addedLater' {
  interface AddedLater {
    conditions: typeof conditionsLater;
  }
}

/** Metadata of a table's images, and the comparison of its conditions. */
export const conditionsOfTable = new PartKey<ConditionsInTable>('conditions');

/** Adds the metadata of images and the comparison of conditions to a table's page. */
export const conditionsInTable: TableContribution = {
  saved: savedConditions,
  undo: undoneComparison,
  open: parts => {
    const conditions = new ConditionsInTable(parts);
    parts.added.add(conditionsOfTable, conditions);
    const { compare } = conditions;
    parts.added.add(imageMeasuresOfPlots, measuredImages(parts));
    return {
      buttons: conditions.buttons,
      overRows: conditions.overRows,
      groups: new GroupedImages(parts),
      columns: { popover: (column, close) => unitPart(conditions, column, close) },
      runs: menuCommands(conditions),
      begin: () => conditions.begin(),
      restore: ({ compare: choices }, open) => {
        if (choices) conditions.restore(choices, open);
      },
      columnsRenamed: names => compare.columnsRenamed(names),
    };
  },
};

/** The models of the image columns and the comparison; at most one is open, over the rows. */
export class ConditionsInTable {
  readonly images: ImageColumnsModel;
  readonly compare: CompareModel;

  constructor(readonly parts: OpenedParts) {
    const { view, panel, populations } = parts;
    this.compare = new CompareModel(comparedTable(parts, view.compare));
    this.images = new ImageColumnsModel(
      imagesOfTable({ ...parts, enterComparison: () => this.compare.open() }, view),
    );
    panel.on('imageColumns', columns => this.images.changed(columns));
    // A comparison may measure a population.
    populations.onDidChange(renamed => this.compare.populationsChanged(renamed));
  }

  begin(): void {
    const { images, compare, parts } = this;
    if (compare.state.peek().open) void compare.start();
    if (images.isOpen.peek()) void images.load();
    parts.model.onDidChange(change => compare.dataChanged(change));
  }

  /** Opens the metadata of images over the rows or the comparison, or closes it. */
  toggleImages(): void {
    const { images, compare } = this;
    if (images.isOpen.peek()) {
      images.close();
      return;
    }
    const isFromComparison = compare.state.peek().open;
    if (isFromComparison) compare.close();
    void images.open(isFromComparison);
  }

  /** Opens the metadata of images, unless it is open. */
  showImages(): void {
    if (!this.images.isOpen.peek()) this.toggleImages();
  }

  /** Opens the comparison of conditions over the rows or the metadata, or closes it. */
  toggleComparison(): void {
    const { compare } = this;
    if (compare.state.peek().open) compare.close();
    else compare.open();
  }

  /** Restores a comparison of conditions. */
  restore(...restored: Parameters<CompareModel['restore']>): void {
    this.compare.restore(...restored);
  }

  get buttons(): readonly AddedButton[] {
    const { parts, images, compare } = this;
    const { model, start } = parts;
    return [
      {
        icon: 'tag',
        label: t('Image Columns'),
        hint: t('Image Columns: conditions, replicates, sample sheet'),
        place: 'columns',
        isOffered: computed(
          () => start.kind === 'aggregate' || findRowColumns(model.table.columns).image !== undefined,
        ),
        isOpen: images.isOpen,
        toggle: () => this.toggleImages(),
      },
      {
        icon: 'beaker',
        label: t('Compare Conditions'),
        place: 'views',
        isOpen: computed(() => compare.state.value.open),
        toggle: () => this.toggleComparison(),
      },
    ];
  }

  get overRows(): readonly OverRows[] {
    const { parts, images, compare } = this;
    const { model, link } = parts;
    const actions = compareActions(this);
    return [
      {
        label: t('Image Columns'),
        isOpen: images.isOpen,
        close: () => images.close(),
        content: ({ conditions: { ImageColumnsPart } }) => <ImageColumnsPart images={images} />,
      },
      {
        label: t('Compare Conditions'),
        isOpen: computed(() => compare.state.value.open),
        close: () => compare.close(),
        content: ({ conditions: { ComparePart } }) => (
          <ComparePart
            compare={compare}
            images={images}
            source={model}
            selectedRow={link.selected}
            actions={actions}
          />
        ),
      },
    ];
  }

  /** Whether lengths and areas can be converted to µm. */
  get mayConvert(): boolean {
    return this.parts.start.mayConvert === true;
  }

  /** Adds a column with the numbers of another one in µm or µm², or removes it. */
  async convertColumn(column: number, convert: boolean): Promise<void> {
    const { messages, model, panel } = this.parts;
    const { name = '' } = model.table.columns[column] ?? {};
    messages.say(t('Reading pixel sizes for {0}', name));
    try {
      const { imagesWithout } = await panel.request('convertColumn', { column: name, convert });
      const column = micronName(name);
      const words = convert ? t('Added {0}.', column) : t('Removed {0}.', column);
      const withoutSizeWords =
        convert && imagesWithout > 0
          ? [
              t.count(
                imagesWithout,
                '1 image has no pixel size: its cells are empty.',
                '{0} images have no pixel size: their cells are empty.',
              ),
            ]
          : [];
      messages.say([words, ...withoutSizeWords].join(' '));
    } catch (error) {
      messages.failed(t.later("Couldn't convert the column: {0}"), error);
    }
  }
}

function menuCommands(conditions: ConditionsInTable): Record<ConditionsMenuCommand, () => void> {
  return { openImageColumns: () => conditions.showImages() };
}

/** The unit part of a column's popover: converts pixels to µm, or removes a converted column. */
function unitPart(conditions: ConditionsInTable, column: number, close: () => void) {
  const { model } = conditions.parts;
  const { columns } = model.table;
  const { kind, name = '', converted } = columns[column] ?? {};
  const change = (sourceColumn: number, convert: boolean) => {
    close();
    void conditions.convertColumn(sourceColumn, convert);
  };
  if (converted)
    return (
      <p class="popover-note">
        {t(
          '{0} times the pixel size of each image. The file has it in pixels.',
          columnName(columns, converted.of),
        )}{' '}
        <LinkButton onClick={() => change(converted.of, false)}>{t('Remove This Column')}</LinkButton>
      </p>
    );
  const unit = conditions.mayConvert && kind === 'number' ? pixelUnit(name) : undefined;
  if (unit === undefined || columns.some(other => other.converted?.of === column)) return null;
  return (
    <div class="buttons">
      <Button
        title={t('Adds a column with these numbers times the pixel size of each image')}
        onClick={() => change(column, true)}
      >
        {t('Convert to {0}', unit === 'px²' ? 'µm²' : 'µm')}
      </Button>
    </div>
  );
}

/** The actions of the comparison on the table and the page. */
function compareActions(conditions: ConditionsInTable): ComparePartProps['actions'] {
  const { plotted, messages, filters: tableFilters, model, populations } = conditions.parts;
  const { act, hover, say, savePlot } = plotted;
  const columnNamed = (name: string) => model.table.columns.findIndex(column => column.name === name);
  // Only the table's own filters say whether a set of rows is a lasso.
  const tableFilterOf = (filter: Filter): PageFilter | undefined =>
    filter.kind === 'rowSet'
      ? model.filters.find(
          tableFilter => tableFilter.filter.kind === 'rowSet' && tableFilter.filter.set === filter.set,
        )
      : undefined;
  return {
    addColumns: () => conditions.toggleImages(),
    copy: caption => void copyCaption(conditions.parts, caption),
    copyImage: image => void copyImage(conditions.parts, image),
    filterTo: (partFilters, words) => {
      tableFilters.filterTo(partFilters);
      messages.announce(t('Table filtered to {0}', words));
    },
    removeFilters: filters => tableFilters.removeAll(filters),
    filterWords: filters =>
      filters
        .map(filter =>
          filter.kind === 'population'
            ? populations.wordsOf(filter.name)
            : filterListWords({ table: model }, [tableFilterOf(filter) ?? { filter }], true),
        )
        .join(' · '),
    ...(conditions.mayConvert && {
      convert: (name: string) =>
        void conditions.convertColumn(columnNamed(name), true).then(() => {
          if (columnNamed(micronName(name)) >= 0) conditions.compare.chooseColumn(micronName(name));
        }),
    }),
    saveValues: ({ params }, layout, value) => void saveValues(conditions.parts, params, layout, value),
    savePlot,
    run: act,
    hover,
    say,
  };
}

async function copyCaption({ panel, messages }: OpenedParts, caption: string): Promise<void> {
  try {
    await panel.request('copy', { text: caption });
    messages.say(t('Caption copied'));
  } catch (error) {
    messages.failed(t.later("Couldn't copy: {0}"), error);
  }
}

/** Copies a PNG image that is still being drawn. */
async function copyImage({ messages }: OpenedParts, image: Promise<Blob>): Promise<void> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': image })]);
    messages.say(t('Image copied'));
  } catch (error) {
    messages.failed(t.later('Couldn’t copy the image: {0}'), error);
  }
}

/** Lets the user save a comparison's inputs. */
async function saveValues(
  { model, panel, messages }: OpenedParts,
  params: ComparisonParams,
  layout: 'long' | 'wide',
  value: string,
): Promise<void> {
  const { columns } = model.table;
  const nameOf = (column: number) => columnName(columns, column);
  const names = {
    condition: nameOf(params.condition),
    replicates: params.replicate.map(nameOf),
    technical: (params.technical ?? []).map(nameOf),
    image: t('Image'),
    objects: t({ message: 'Objects', comment: 'Objects in images, such as cells' }),
    value,
  };
  try {
    const { saved } = await panel.request('saveValues', { ...params, layout, names });
    if (saved) messages.say(t.count(saved.rows, '1 row saved as {1}', '{0} rows saved as {1}', saved.name));
  } catch (error) {
    messages.failed(t.later("Couldn't save: {0}"), error);
  }
}
