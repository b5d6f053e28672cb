import type { Rgb } from '../../../base/colors';
import type { MasksText } from '../../../pages/page/pageText';
import { tabSeparated } from '../../../columns/csv/csvGrammar';
import { element, fill, icon } from '../../../pages/page/widgets/element';
import type { ValueRange } from '../../../pages/page/widgets/colorScale';
import type { PackedNumbers } from '../../../protocol/packed';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { MasksPageSide, MasksPanelSide, MasksStart } from '../../masksPage';
import type { ObjectDetails, ObjectRef, ObjectsOfImage, ShownMaskImage } from '../../masksSummary';
import type { LinkReport } from '../../rowLinks';
import type { ImageScene } from '../stage/imageScene';
import { classTotals } from '../state/loadedObjects';
import { type ColorBy, type MasksLook, NO_VALUE, type ShownScale } from '../state/masksLook';
import { customColor, type MasksViewState } from '../state/masksViewState';
import type { PointerModel } from '../state/pointerModel';
import type { Point } from '../tiles/viewTransform';
import { BackgroundImagePane } from './backgroundImagePane';
import { ClassLegend } from './classLegend';
import { Coloring } from './coloring';
import { canLinkImages, imageLinksButton, linkSummary } from '../links/linkSummary';
import { type ComparedObject, measurementCells } from './objectMeasurements';
import { ObjectSection, RowSection } from './objectSection';
import { SelectionSection } from './selectionSection';

interface MasksInspectorOptions {
  start: MasksStart;
  text: MasksText;
  panel: RpcEndpoint<MasksPageSide, MasksPanelSide>;
  saved: Partial<MasksViewState>;
  onView: (view: Partial<MasksViewState>) => void;
  look: () => MasksLook;
  onLook: (change: Partial<MasksLook>) => void;
  /** The color scale in use, of a column or a measurement. */
  onScale: (scale: ShownScale | undefined) => void;
  pointer: PointerModel;
  /** The background image of an image, by its index, is open now. */
  onBackgroundImage: (image: number) => void;
  /** A person wants to see an image, by its index. */
  onShowImage: (image: number) => void;
  onExportSelected: () => void;
  onClearSelection: () => void;
  onFailure: (error: unknown) => void;
}

/** The narrow column beside the image: classes, colors, the object in focus, its row, the background image and the archive. */
export class MasksInspector {
  readonly root = element('div', { class: 'inspector' });
  private readonly legend: ClassLegend;
  private readonly coloring: Coloring;
  private readonly style: StyleChoice;
  private readonly selection: SelectionSection;
  private readonly object: ObjectSection;
  private readonly row: RowSection;
  private readonly backgroundImage: BackgroundImagePane;
  private readonly archive: ArchiveSection;
  private scene: ImageScene | undefined;
  /** Of the objects of the scene, once they are known. */
  private areas: PackedNumbers | undefined;
  private link: LinkReport | undefined;

  constructor(private readonly options: MasksInspectorOptions) {
    const { start, text, panel, saved, onView, onLook, onFailure } = options;
    const look = options.look();
    this.legend = new ClassLegend({
      classes: start.masks.classes,
      colors: look.colors,
      hidden: look.hidden,
      text,
      onColor: (at, color) => {
        const { name = '' } = start.masks.classes[at] ?? {};
        panel.send('classColors', { [name]: customColor(at, color) });
        onLook({ colors: options.look().colors.map((each, i) => (i === at ? color : each)) });
      },
      onHidden: hidden => onLook({ hidden }),
    });
    this.coloring = new Coloring({
      text,
      panel,
      colorBy: look.colorBy,
      range: saved.range ?? undefined,
      onChange: (colorBy, range) => this.recolored(colorBy, range),
      colorMap: look.colorMap,
      onColorMap: colorMap => {
        onView({ colorMap });
        onLook({ colorMap });
      },
      onScale: options.onScale,
      onAreas: (scene, areas) => {
        if (scene !== this.scene) return;
        this.areas = areas;
        this.showTotals();
      },
      onFailure,
    });
    this.style = new StyleChoice(text, filled => onLook({ fill: filled }));
    this.selection = new SelectionSection({
      text,
      panel,
      onExport: options.onExportSelected,
      onClear: options.onClearSelection,
      onFailure,
    });
    this.object = new ObjectSection(text);
    this.row = new RowSection({
      text,
      panel,
      open: saved.rowOpen ?? true,
      onToggle: rowOpen => onView({ rowOpen }),
      comparedWith: () => this.comparedWith,
      whenPainted: () => this.scene?.painted,
      onFailure,
    });
    this.backgroundImage = new BackgroundImagePane({
      text,
      panel,
      hasMasks: start.hasMasks,
      severalImages: start.masks.images.length > 1,
      stretched: saved.stretched ?? false,
      pixelSizes: start.pixelSizes,
      onStretched: stretched => onView({ stretched }),
      looks: saved,
      onLooks: onView,
      pointer: options.pointer,
      onSurroundings: surroundings => {
        this.object.setSurroundings(surroundings);
        this.row.compare();
      },
      onOpened: options.onBackgroundImage,
      onFailure,
    });
    this.archive = new ArchiveSection({
      text,
      notes: start.masks.notes,
      images: {
        read: () => panel.request('imageLinks', {}),
        link: links => panel.request('linkImages', { links }),
        thumbnail: image => panel.request('linkThumbnail', { image }),
        show: options.onShowImage,
      },
      ...(start.choosesTable && { onChooseTable: () => panel.send('chooseTable', {}) }),
    });
    // Below the image the groups stand side by side.
    const group = (...sections: HTMLElement[]) => element('div', { class: 'inspector-group' }, ...sections);
    const image = this.backgroundImage.section.root;
    const groups = [
      group(
        this.legend.root,
        this.coloring.section.root,
        this.style.root,
        opacitySlider(text, look.opacity, opacity => onLook({ opacity })),
      ),
      group(this.selection.root, this.object.root, this.row.root),
      group(image, this.archive.root),
    ];
    fill(this.root, ...(start.hasMasks ? groups : [group(image)]));
    this.style.show(look.fill);
  }

  /** The look of the masks has changed. */
  setLook(look: MasksLook): void {
    this.style.show(look.fill);
    this.object.recolor(className => this.classColor(className, look));
  }

  /** Another image: what is known before its objects are there. */
  setImage(image: ShownMaskImage, scene: ImageScene | undefined): void {
    this.scene = scene;
    this.areas = undefined;
    this.legend.setCounts(image.isPartial ? undefined : image.classCounts);
    this.legend.setShares(undefined);
    this.archive.setImage(image);
    this.backgroundImage.setScene(scene);
  }

  /** The objects' totals, of those that match the table's filter as it is now. */
  showTotals(): void {
    const { scene, areas } = this;
    if (!scene?.objects || scene.image.isPartial) return;
    const { classes } = this.options.start.masks;
    const { matching, image } = scene;
    const found = {
      classes: scene.objects.classes,
      ...(matching && { shown: matching }),
      ...(areas && { areas }),
    };
    const totals = classTotals(found, classes.length);
    this.legend.setCounts(totals.counts);
    const whole = image.width * image.height;
    this.legend.setShares(areas && totals.areas.map(sum => sum / whole));
  }

  /** All images were read. */
  setRead(notes: readonly string[], image: ShownMaskImage | undefined): void {
    this.archive.setNotes(notes);
    if (image) this.archive.setImage(image);
    this.showTotals();
  }

  /** The objects of the image are there. */
  async loaded(scene: ImageScene): Promise<void> {
    await Promise.all([this.coloring.setScene(scene), this.backgroundImage.pair('backgroundImage')]);
  }

  /** They can't be loaded. The image beneath them can be, all the same. */
  loadFailed(): void {
    void this.backgroundImage.pair('backgroundImage');
  }

  /** The background image may be another one now. */
  searchAgain(): void {
    void this.backgroundImage.pair('backgroundImage');
  }

  /** Several objects are selected now; none where there is at most one. */
  setSelection(selection: readonly ObjectsOfImage[]): void {
    this.selection.show(selection);
  }

  setLink(report: LinkReport): void {
    void this.selection.refresh();
    this.archive.setLink(report);
    this.link = report;
    this.row.linked();
    void this.coloring.linked();
  }

  /** The pointer is there, in image pixels, or nowhere. */
  point(at: Point | null): void {
    this.backgroundImage.point(at);
  }

  /** The object in focus, or none; `stack`: which of how many that lie over each other. */
  showObject(
    details: ObjectDetails | undefined,
    selected: boolean,
    stack: { position: number; count: number } | undefined,
  ): void {
    const classColor = this.classColor(details?.className, this.options.look());
    this.object.show(details && { details, selected, classColor, ...(stack && { stack }) });
    this.row.show(details);
    this.backgroundImage.measure(details, means => details && this.object.setMeans(details, means));
  }

  /** Shows the objects of one class alone, by its position. */
  showOnly(position: number): void {
    this.legend.showOnly(position);
  }

  /** The measurements of an object of the image shown, as text for a spreadsheet; `image`: the image's name. */
  async measurementsOf(object: ObjectRef, image: string): Promise<string> {
    const { panel, text } = this.options;
    const details = await panel.request('objectDetails', object);
    const { pixelSize, channels } = this.backgroundImage.surroundings;
    const means = (await this.backgroundImage.meansOf(object)).map((mean, at) => ({
      channel: channels[at]?.name ?? '',
      mean,
    }));
    return tabSeparated(measurementCells(text, { image, details, pixelSize, means }));
  }

  private classColor(className: string | undefined, { colors }: MasksLook): Rgb {
    const position = this.options.start.masks.classes.findIndex(({ name }) => name === className);
    return colors[position] ?? NO_VALUE;
  }

  private get comparedWith(): Omit<ComparedObject, 'details'> {
    const { areaRatio, areaRatioConstant } = this.link ?? {};
    return {
      pixelSize: this.backgroundImage.surroundings.pixelSize,
      areaRatio: areaRatioConstant ? areaRatio : undefined,
    };
  }

  private recolored(colorBy: ColorBy, range: ValueRange | undefined): void {
    this.options.onView({ colorBy, range: range ?? null });
    if (colorBy !== this.options.look().colorBy) this.options.onLook({ colorBy });
  }
}

/** Whether masks are drawn filled or as outlines only: two buttons, one of them pressed. */
class StyleChoice {
  readonly root: HTMLElement;
  private readonly filled: HTMLButtonElement;
  private readonly outlines: HTMLButtonElement;

  constructor(text: MasksText, onChange: (filled: boolean) => void) {
    const button = (key: 'filled' | 'outlines', filled: boolean) => {
      const made = element('button', { type: 'button', title: text.get('styleHint') }, text.get(key));
      made.addEventListener('click', () => onChange(filled));
      return made;
    };
    this.filled = button('filled', true);
    this.outlines = button('outlines', false);
    this.root = element(
      'div',
      { class: 'choice', role: 'group', 'aria-label': text.get('maskStyle') },
      this.filled,
      this.outlines,
    );
  }

  show(filled: boolean): void {
    this.filled.setAttribute('aria-pressed', String(filled));
    this.outlines.setAttribute('aria-pressed', String(!filled));
  }
}

/** A labeled slider for the opacity of the masks, 0…1. */
function opacitySlider(text: MasksText, value: number, onChange: (value: number) => void): HTMLElement {
  const slider = element('input', {
    type: 'range',
    class: 'slider',
    min: 0,
    max: 100,
    step: 5,
    id: 'opacity',
  });
  slider.value = String(Math.round(value * 100));
  const shown = element('output', { class: 'slider-value', for: 'opacity' });
  const update = () => {
    const words = text.get('percent', Number(slider.value));
    shown.textContent = words;
    slider.setAttribute('aria-valuetext', words);
    slider.style.setProperty('--filled', `${slider.value}%`);
  };
  update();
  slider.addEventListener('input', () => {
    update();
    onChange(Number(slider.value) / 100);
  });
  return element(
    'div',
    { class: 'slider-row' },
    element('label', { for: 'opacity' }, text.get('opacity')),
    slider,
    shown,
  );
}

const MAX_LISTED = 200;

interface ArchiveSectionOptions {
  text: MasksText;
  /** What is unusual about the archive. */
  notes: readonly string[];
  /** Lets the user choose a table; absent where the masks came with one. */
  onChooseTable?: () => void;
  /** Lets a person say which image is which. */
  images: Omit<Parameters<typeof imageLinksButton>[0], 'text'>;
}

/** What should be known about the archive and its link to the table: nothing that went wrong stays silent. */
class ArchiveSection {
  readonly root = element('div', { class: 'archive' });
  private readonly link = element('section', { class: 'section' });
  private readonly unreadable = element('div', {});
  private readonly notes = element('div', {});

  constructor(private readonly options: ArchiveSectionOptions) {
    const { text, notes } = options;
    this.link.setAttribute('aria-label', text.get('table'));
    this.setLink(undefined);
    fill(this.root, this.link, this.unreadable, this.notes);
    this.setNotes(notes);
  }

  /** What is unusual about the archive. */
  setNotes(notes: readonly string[]): void {
    fill(this.notes, notes.length > 0 && disclosure(this.options.text.get('notes'), 'info', notes));
  }

  setLink(report: LinkReport | undefined): void {
    const { text, onChooseTable, images } = this.options;
    const summary = report && linkSummary(report, text);
    fill(
      this.link,
      element('h2', {}, text.get('table')),
      summary
        ? element(
            'p',
            { class: summary.warning ? 'callout warning' : 'callout' },
            icon(summary.warning ? 'warning' : 'link'),
            element('span', {}, summary.line),
          )
        : element('p', { class: 'hint' }, text.get('tableNotLinked')),
      ...(summary?.details ?? []).map(words => element('p', { class: 'hint' }, words)),
      report !== undefined && canLinkImages(report) && imageLinksButton({ text, ...images }),
      onChooseTable && tableButton(text.get(summary ? 'changeTable' : 'chooseTable'), onChooseTable),
    );
  }

  setImage(image: ShownMaskImage): void {
    const { text } = this.options;
    const { unreadable, unreadableCount } = image;
    const lines = unreadable.slice(0, MAX_LISTED).map(({ key, reason }) => `${key}: ${reason}`);
    if (unreadableCount > lines.length)
      lines.push(text.get('unreadableMore', unreadableCount - lines.length));
    fill(
      this.unreadable,
      unreadableCount > 0 && disclosure(text.count('unreadable', unreadableCount), 'warning', lines),
    );
  }
}

function tableButton(label: string, onChoose: () => void): HTMLElement {
  const button = element('button', { type: 'button', class: 'button secondary' }, label);
  button.addEventListener('click', onChoose);
  return element('div', { class: 'buttons' }, button);
}

function disclosure(title: string, iconName: string, lines: readonly string[]): HTMLElement {
  return element(
    'details',
    { class: `section ${iconName}` },
    element('summary', {}, icon('chevron-right'), icon(iconName), element('span', {}, title)),
    element('ul', { class: 'lines' }, ...lines.map(line => element('li', {}, line))),
  );
}
