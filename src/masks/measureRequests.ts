/** Requests about tables measured from masks that an engine thread handles. */
export interface MeasureRequests {
  /**
   * Writes a table of all objects of the open masks to a file that takes the place of another; progress events (objects) name
   * it 'measured'. `backgrounds`: opened background images whose intensities are measured, by image.
   */
  writeMeasuredTable: {
    params: {
      path: string;
      backgrounds: readonly { image: number; backgroundImage: number; channels: readonly string[] }[];
    };
    result: { rows: number };
  };
}
