import type * as vscode from 'vscode';

const COLOURS = 'imageAnalysis.masks.classColours';
const PIXEL_SIZES = 'imageAnalysis.masks.pixelSizes';
/** Beyond these the ones set first are forgotten. */
const MOST_COLOURS = 500;
const MOST_RESULTS = 200;

/** What users choose for masks that outlives a result or a panel: colours of classes by name, sizes of pixels. */
export class MasksPreferences {
  constructor(private readonly state: Pick<vscode.Memento, 'get' | 'update'>) {}

  /** #rrggbb by class name. */
  get classColours(): Record<string, string> {
    return this.state.get<Record<string, string>>(COLOURS, {});
  }

  /** Changes colours; null takes one back. What is no colour is left out. */
  async setClassColours(changes: Readonly<Record<string, unknown>>): Promise<void> {
    const colours = new Map(Object.entries(this.classColours));
    for (const [name, colour] of Object.entries(changes)) {
      colours.delete(name);
      if (typeof colour === 'string' && /^#[0-9a-f]{6}$/i.test(colour)) colours.set(name, colour);
    }
    await this.state.update(COLOURS, Object.fromEntries([...colours].slice(-MOST_COLOURS)));
  }

  /** µm per pixel by image id, for a result. */
  pixelSizes(result: string): Record<string, number> {
    return this.state.get<Record<string, Record<string, number>>>(PIXEL_SIZES, {})[result] ?? {};
  }

  /** Sets µm per pixel of an image; undefined takes it back. */
  async setPixelSize(result: string, image: string, size: number | undefined): Promise<void> {
    const all = new Map(
      Object.entries(this.state.get<Record<string, Record<string, number>>>(PIXEL_SIZES, {})),
    );
    const sizes = new Map(Object.entries(all.get(result) ?? {}));
    sizes.delete(image);
    if (size !== undefined) sizes.set(image, size);
    all.delete(result);
    if (sizes.size > 0) all.set(result, Object.fromEntries(sizes));
    await this.state.update(PIXEL_SIZES, Object.fromEntries([...all].slice(-MOST_RESULTS)));
  }
}
