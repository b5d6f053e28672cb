import { distinctNames } from '../distinctNames';
import { pathOfImage, type MaskImage } from '../masksSummary';

/** What each image of an archive is called: its file name, with as many of its folders as tell it from the others. */
export class ImageNames {
  private names: readonly string[] | undefined;

  constructor(private readonly images: readonly MaskImage[]) {}

  of({ index, ...image }: MaskImage): string {
    this.names ??= distinctNames(this.images.map(pathOfImage));
    const at =
      this.images[index]?.index === index ? index : this.images.findIndex(each => each.index === index);
    return this.names[at] || pathOfImage(image);
  }

  /** The images, or their paths, are others now. */
  changed(): void {
    this.names = undefined;
  }
}
