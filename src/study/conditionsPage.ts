import { conditionPageRequests, conditionRequests } from './conditionRequests';
import { imagePageRequests, type ShownImageColumns } from './imageRequests';

/** Requests of a table's page about images and conditions. */
export const conditionsPage = {
  passedOn: {},
  requests: { ...imagePageRequests, ...conditionPageRequests, ...conditionRequests },
};

declare module '../table/tablePage' {
  interface AddedToPanel {
    conditions: typeof conditionsPage;
  }

  interface AddedPanelEvents {
    /** The metadata of images changed elsewhere, or more images were found. */
    imageColumns: ShownImageColumns;
  }

  interface TableStart {
    /** Lengths and areas may be converted to µm, as pixel sizes of images may be known. */
    mayConvert?: true;
  }
}
