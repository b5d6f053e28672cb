/** An analysis that the sample service can run on an image. */
export interface SamplePipeline {
  /** 24 hex digits, like the service's IDs. */
  id: string;
  description: string;
  createdAt: string;
  /** Whether objects are brighter or darker than their surroundings, or show hematoxylin. */
  objects: 'bright' | 'dark' | 'hematoxylin';
  /**
   * Two touching objects are split if their neck is narrower than the thinner one by this share.
   */
  neckDepth: number;
  /** Class names by ObjectResult.classIndex. Of two classes, the first is for smaller objects. */
  classes: readonly [string] | readonly [string, string];
  /** Whether masks in the archive are cropped to their bounding boxes or have the image's size. */
  maskShape: 'cropped' | 'full-frame';
}

/** The pipelines of the sample service, newest first. */
export const pipelines: readonly SamplePipeline[] = [
  {
    id: '65f1c0de5a3b7e9d21c40a01',
    description:
      'Bright objects: on a dark background, such as stained nuclei. Evens out the light, finds the objects by ' +
      'brightness, leaves out specks and what is out of focus, splits touching ones and measures each.',
    createdAt: '2026-03-12T09:30:00.000Z',
    objects: 'bright',
    neckDepth: 0.12,
    classes: ['Bright object'],
    maskShape: 'cropped',
  },
  {
    id: '65f1c0de5a3b7e9d21c40a02',
    description:
      'Dark objects: on a bright background, such as cells in transmitted light. Evens out the light, finds the ' +
      'objects by darkness, leaves out specks and what is out of focus, splits touching ones and measures each.',
    createdAt: '2026-02-20T14:05:30.000Z',
    objects: 'dark',
    neckDepth: 0.12,
    classes: ['Dark object'],
    maskShape: 'full-frame',
  },
  {
    id: '65f1c0de5a3b7e9d21c40a03',
    description:
      'Bright objects in two classes by size: finds and measures them like the first pipeline, but splits touching ' +
      'ones only at narrow necks, then calls them Small or Large, parted where the areas of the image separate best.',
    createdAt: '2026-01-08T11:45:10.000Z',
    objects: 'bright',
    neckDepth: 0.4,
    classes: ['Small', 'Large'],
    maskShape: 'cropped',
  },
  {
    id: '65f1c0de5a3b7e9d21c40a04',
    description:
      'Nuclei in tissue sections stained with hematoxylin and DAB: separates the stains by their colors, finds what ' +
      'hematoxylin stains, leaves out specks and what is out of focus, splits touching nuclei and measures each.',
    createdAt: '2026-01-05T08:20:00.000Z',
    objects: 'hematoxylin',
    neckDepth: 0.12,
    classes: ['Nucleus'],
    maskShape: 'cropped',
  },
];
