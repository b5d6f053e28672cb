import type { LinkReport } from '../../protocol/linkEngine';
import type { MaskImage } from '../../formats/masksSummary';
import type { ObjectDetails } from '../../protocol/masksEngine';
import type { MasksPageSide, MasksPanelSide, MasksStart } from '../../protocol/masksPage';
import type { RpcEndpoint } from '../../protocol/rpc';
import { element, fill } from '../element';
import type { PageText } from '../pageText';
import { ArchiveSection } from './archiveSection';
import { ClassLegend } from './classLegend';
import { Colouring } from './colouring';
import { areasOfClasses } from './imageObjects';
import type { ImageScene } from './imageScene';
import type { ColourBy, MasksLook, ValueRange } from './masksLook';
import { chosenColour, type MasksView } from './masksView';
import { ObjectSection } from './objectSection';
import { opacitySlider } from './opacitySlider';
import { PicturePane } from './picturePane';
import { RowSection } from './rowSection';
import { StyleChoice } from './styleChoice';
import type { Point } from './viewTransform';

export interface MasksInspectorOptions {
  start: MasksStart;
  text: PageText;
  panel: RpcEndpoint<MasksPageSide, MasksPanelSide>;
  kept: Partial<MasksView>;
  keep: (view: Partial<MasksView>) => void;
  look: () => MasksLook;
  onLook: (change: Partial<MasksLook>) => void;
  /** Where the colour scale begins and ends now, of a column or a measurement. */
  onRange: (range: ValueRange | undefined) => void;
  onPixelSize: (pixelSize: number | undefined) => void;
  onValues: (values: readonly (number | null)[]) => void;
  onFailure: (error: unknown) => void;
}

/** The narrow column beside the picture: classes, colours, the object in focus, its row, the picture and the archive. */
export class MasksInspector {
  readonly root = element('aside', { class: 'inspector' });
  private readonly legend: ClassLegend;
  private readonly colouring: Colouring;
  private readonly style: StyleChoice;
  private readonly object: ObjectSection;
  private readonly row: RowSection;
  private readonly picture: PicturePane;
  private readonly archive: ArchiveSection;
  private scene: ImageScene | undefined;

  constructor(private readonly options: MasksInspectorOptions) {
    const { start, text, panel, kept, keep, onLook, onFailure } = options;
    const look = options.look();
    this.legend = new ClassLegend({
      classes: start.masks.classes,
      colours: look.colours,
      hidden: look.hidden,
      text,
      onColour: (at, colour) => {
        const { name = '' } = start.masks.classes[at] ?? {};
        panel.send('classColours', { [name]: chosenColour(at, colour) });
        onLook({ colours: options.look().colours.map((each, i) => (i === at ? colour : each)) });
      },
      onHidden: hidden => onLook({ hidden }),
    });
    this.colouring = new Colouring({
      text,
      panel,
      colourBy: look.colourBy,
      range: kept.range ?? undefined,
      onChange: (colourBy, range) => this.recoloured(colourBy, range),
      onRange: options.onRange,
      onMeasures: (scene, { area }) => this.setShares(scene, area),
      onFailure,
    });
    this.style = new StyleChoice(text, filled => onLook({ fill: filled }));
    this.object = new ObjectSection(text);
    this.row = new RowSection(text, panel, kept.rowOpen ?? true, rowOpen => keep({ rowOpen }), onFailure);
    this.picture = new PicturePane({
      text,
      panel,
      stretched: kept.stretched ?? false,
      pixelSizes: start.pixelSizes,
      onStretched: stretched => keep({ stretched }),
      onPixelSize: options.onPixelSize,
      onSurroundings: surroundings => this.object.setSurroundings(surroundings),
      onValues: options.onValues,
      onFailure,
    });
    this.archive = new ArchiveSection(text, start.masks.notes);
    fill(
      this.root,
      this.legend.root,
      this.colouring.section.root,
      this.style.root,
      opacitySlider(text, look.opacity, opacity => onLook({ opacity })),
      this.object.root,
      this.row.root,
      this.picture.section.root,
      this.archive.root,
    );
    this.root.setAttribute('aria-label', text.get('details'));
    this.style.show(look.fill);
  }

  /** The masks look otherwise. */
  setLook(look: MasksLook): void {
    this.style.show(look.fill);
  }

  /** Another image: what is known before its objects are there. */
  setImage(image: MaskImage, scene: ImageScene | undefined): void {
    this.scene = scene;
    this.legend.setCounts(image.classCounts);
    this.legend.setShares(undefined);
    this.archive.setImage(image);
    this.picture.setScene(scene);
  }

  /** The objects of the image are there. */
  async loaded(scene: ImageScene): Promise<void> {
    await Promise.all([this.colouring.setScene(scene), this.picture.pair('picture')]);
  }

  setLink(report: LinkReport): void {
    this.archive.setLink(report);
    void this.colouring.linked();
  }

  /** The pointer is there, in image pixels, or nowhere. */
  point(at: Point | null): void {
    this.picture.point(at);
  }

  /** The object in focus, or none; `stack`: which of how many that lie over each other. */
  showObject(
    details: ObjectDetails | undefined,
    selected: boolean,
    stack: { position: number; count: number } | undefined,
  ): void {
    const colour = details && this.scene?.colourOf(details.object);
    this.object.show(details && colour && { details, selected, colour, ...(stack && { stack }) });
    this.row.show(details);
    this.picture.measure(details, means => details && this.object.setMeans(details, means));
  }

  private recoloured(colourBy: ColourBy, range: ValueRange | undefined): void {
    this.options.keep({ colourBy, range: range ?? null });
    if (colourBy !== this.options.look().colourBy) this.options.onLook({ colourBy });
  }

  private setShares(scene: ImageScene, areas: Float64Array): void {
    if (scene !== this.scene || !scene.objects) return;
    const { classes } = this.options.start.masks;
    const whole = scene.image.width * scene.image.height;
    const sums = areasOfClasses(scene.objects.classes, areas, classes.length);
    this.legend.setShares(sums.map(sum => sum / whole));
  }
}
