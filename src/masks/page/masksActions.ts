import type { MasksPageSide, MasksPanelSide } from '../masksPage';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { LiveRegion } from '../../pages/page/widgets/liveRegion';
import { showShortcuts } from '../../pages/page/widgets/shortcutsDialog';
import type { PagePort } from '../../pages/page/pagePort';
import type { MasksText } from '../../pages/page/pageText';
import type { CurrentLook } from './currentLook';
import type { ImageNames } from './imageNames';
import type { ImageNavigation } from './imageNavigation';
import type { MasksInspector } from './inspector/masksInspector';
import { masksKeys } from './masksKeys';
import { MasksMenu } from './masksMenu';
import type { MasksSelection } from './masksSelection';
import { masksShortcuts } from './masksShortcuts';
import type { MasksToolbar } from './masksToolbar';
import type { MasksViewState } from './masksViewState';
import type { CurrentImage } from './stage/currentImage';
import type { MasksStage } from './stage/masksStage';
import type { DragTool } from './stage/regionTool';
import { saveView } from './viewSaver';

export interface MasksActionsParts {
  panel: RpcEndpoint<MasksPageSide, MasksPanelSide>;
  port: PagePort<MasksViewState>;
  text: MasksText;
  /** False where an image file is shown by itself. */
  hasMasks: boolean;
  stage: MasksStage;
  current: CurrentImage;
  names: ImageNames;
  look: CurrentLook;
  navigation: ImageNavigation;
  selection: MasksSelection;
  inspector: MasksInspector;
  toolbar: MasksToolbar;
  live: LiveRegion;
  onFailure: (error: unknown, key?: 'saveFailed') => void;
}

/** What users do by a key or the image's context menu, and by a button too. */
export class MasksActions {
  constructor(private readonly parts: MasksActionsParts) {}

  /** From now on keys and the entries of the menu work. */
  listen(): void {
    const { panel, text, hasMasks, stage, current, look, navigation, selection, inspector, live, onFailure } =
      this.parts;
    const { canvas } = stage;
    const shared = {
      canvas,
      onSave: () => void this.save(),
      onShortcuts: () => showShortcuts(text.get('shortcuts'), masksShortcuts(text, hasMasks)),
    };
    masksKeys({
      ...shared,
      hasMasks,
      onImage: step => navigation.go(step),
      onStyle: () => look.toggleFill(),
      onPeek: peeking => look.peek(peeking),
      onEscape: () => this.escape(),
      onTool: tool => this.setTool(tool),
      onSelectView: () => selection.selectRegion(canvas.regionInView),
      onMinimap: () => this.toggleMinimap(),
    });
    const menu = new MasksMenu({
      ...shared,
      panel,
      current,
      focus: selection.focus,
      pointer: selection.pointer,
      inspector,
      selected: () => selection.objects,
      onExportSelected: () => selection.exportSelected(),
      onCopied: () => live.say(text.get('measurementsCopied')),
      onFailure,
    });
    panel.on('menuCommand', ({ command }) => menu.run(command));
  }

  /** What dragging on the image does. */
  setTool(tool: DragTool): void {
    const { stage, toolbar } = this.parts;
    stage.canvas.pointer.tool = tool;
    toolbar.setTool(tool);
  }

  /** Saves the view as it is on the screen to a file that the user selects. */
  async save(): Promise<void> {
    const { panel, text, hasMasks, stage, current, names, live, onFailure } = this.parts;
    const { image, scene } = current;
    // Else the canvas still has the image before.
    if (!image || !scene) return;
    try {
      const saved = await saveView(panel, names.of(image), await stage.capture(), hasMasks);
      if (saved !== null) live.say(text.get('viewSaved', saved));
    } catch (error) {
      onFailure(error, 'saveFailed');
    }
  }

  /**
   * Ends the drawing of a region, else clears a selection of several objects, else leaves the tool that selects, else clears the
   * selected object.
   */
  private escape(): void {
    const { stage, selection } = this.parts;
    if (stage.canvas.pointer.cancelRegion()) return;
    if (selection.hasSeveral || stage.canvas.pointer.tool === 'move') selection.clear();
    else this.setTool('move');
  }

  private toggleMinimap(): void {
    const { stage, port } = this.parts;
    stage.minimapEnabled = !stage.minimapEnabled;
    port.updateView({ minimap: stage.minimapEnabled });
  }
}
