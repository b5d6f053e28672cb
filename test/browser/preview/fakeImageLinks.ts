import type { ShownMaskImage } from '../../../src/archives/masksSummary';
import type { ImageLink, ShownImageLinks } from '../../../src/linking/rowLinks';

/** The last three images of an archive, open for a person, as the panel would list them. */
export class FakeImageLinks {
  private readonly links = new Map<string, string>();

  constructor(private readonly images: readonly ShownMaskImage[]) {}

  link(links: readonly ImageLink[]): void {
    for (const { image, path } of links) {
      if (path === null) this.links.delete(image);
      else this.links.set(image, path);
    }
  }

  shown(): ShownImageLinks {
    const open = this.images.slice(-3);
    const paths = open.map((_, at) => ({
      path: `Plate 3/${['control', 'treated', 'washed'][at]}/nuclei_006.tif`,
      rows: 120 + at,
    }));
    const taken = new Set(this.links.values());
    const images = open.filter(({ id }) => !this.links.has(id));
    return {
      groups:
        images.length === 0
          ? []
          : [
              {
                images: images.map(({ id, index, filename, objectCount }, at) => ({
                  id,
                  image: index,
                  name: filename,
                  objects: objectCount,
                  isDamaged: at === 2,
                  why: at === 2 ? 'none-fits' : 'little-evidence',
                  ...(at < 2 && paths[at] && { suggested: paths[at].path }),
                })),
                paths: paths.filter(({ path }) => !taken.has(path)),
              },
            ],
      isCut: false,
      byHand: [...this.links].map(([image, path]) => ({ image, name: 'nuclei_006.tif', path })),
    };
  }
}
