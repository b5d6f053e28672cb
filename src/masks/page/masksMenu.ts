import { pathOfImage } from '../masksSummary';
import type { ObjectRef } from '../objectRef';
import type { ObjectsOfImage } from '../objectsOfImage';
import { isCoded } from '../../base/errors';
import type { MasksPageSide, MasksPanelSide } from '../masksPage';
import type { MasksMenuCommand } from '../../protocol/menuCommands';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { MasksInspector } from './inspector/masksInspector';
import { CanvasMenu } from './stage/canvasMenu';
import type { CanvasView } from './stage/canvasView';
import type { CurrentImage } from './stage/currentImage';
import type { ObjectFocus } from './stage/objectFocus';
import type { ObjectPointer } from './stage/objectPointer';

export interface MasksMenuParts {
  panel: RpcEndpoint<MasksPageSide, MasksPanelSide>;
  canvas: CanvasView;
  current: CurrentImage;
  focus: ObjectFocus;
  pointer: ObjectPointer;
  inspector: MasksInspector;
  /** What is selected: several objects, or the one in focus. */
  selected: () => readonly ObjectsOfImage[];
  onExportSelected: () => void;
  onSave: () => void;
  onShortcuts: () => void;
  /** The measurements of an object are on the clipboard. */
  onCopied: () => void;
  onFailure: (error: unknown) => void;
}

/** What the entries of the image's context menu do. */
export class MasksMenu {
  private readonly menu: CanvasMenu;

  constructor(private readonly parts: MasksMenuParts) {
    const { canvas, pointer } = parts;
    this.menu = new CanvasMenu({
      canvas: canvas.canvas,
      objectAt: onPanel => pointer.objectUnder(canvas.toImage(onPanel)),
      focused: () => this.focused(),
      hasSelection: () => parts.selected().length > 0,
    });
  }

  run(command: MasksMenuCommand): void {
    const { canvas, inspector, onExportSelected, onSave, onShortcuts } = this.parts;
    const { object } = this.menu;
    const position = object && this.classOf(object);
    switch (command) {
      case 'zoomToObject':
        if (object) void this.zoomTo(object);
        break;
      case 'showOnlyClass':
        if (position !== null && position !== undefined) inspector.showOnly(position);
        break;
      case 'copyMeasurements':
        if (object) void this.copyMeasurements(object);
        break;
      case 'exportSelectedObjects':
        onExportSelected();
        break;
      case 'fitMasks':
        canvas.fit();
        break;
      case 'saveMasksView':
        onSave();
        break;
      case 'showMasksShortcuts':
        onShortcuts();
    }
  }

  private async zoomTo({ image, object }: ObjectRef): Promise<void> {
    const { current, canvas, onFailure } = this.parts;
    const { scene } = current;
    if (scene?.image.index !== image) return;
    try {
      const box = await scene.loadBox(object);
      if (box && current.scene === scene) canvas.zoomTo(box);
    } catch (error) {
      if (!isCoded(error, 'cancelled')) onFailure(error);
    }
  }

  private async copyMeasurements(object: ObjectRef): Promise<void> {
    const { panel, current, inspector, onCopied, onFailure } = this.parts;
    const { image } = current;
    if (!image || object.image !== image.index) return;
    try {
      await panel.request('copy', {
        text: await inspector.measurementsOf(object, pathOfImage(image)),
      });
      onCopied();
    } catch (error) {
      if (!isCoded(error, 'cancelled')) onFailure(error);
    }
  }

  /** The selected object of the image shown, at the place nearest to it; else the middle of the panel. */
  private focused(): { object: ObjectRef | null; onPanel: { x: number; y: number } } {
    const { canvas, focus } = this.parts;
    const { width, height } = canvas.size;
    const box = focus.selected && this.boxOf(focus.selected);
    if (!box) return { object: null, onPanel: { x: width / 2, y: height / 2 } };
    const [x1, y1, x2, y2] = box;
    const { x, y } = canvas.toPanel({ x: (x1 + x2) / 2, y: (y1 + y2) / 2 });
    const within = (at: number, size: number) => Math.min(size, Math.max(0, at));
    return { object: focus.selected, onPanel: { x: within(x, width), y: within(y, height) } };
  }

  private boxOf({ image, object }: ObjectRef) {
    const { scene } = this.parts.current;
    return scene?.image.index === image ? scene.boxOf(object) : undefined;
  }

  private classOf({ image, object }: ObjectRef): number | undefined {
    const { scene } = this.parts.current;
    return scene?.image.index === image ? scene.objects?.classes[object] : undefined;
  }
}
