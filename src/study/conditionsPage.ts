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
    /** Metadata of images changed elsewhere, or more images are known. */
    imageColumns: ShownImageColumns;
  }

  interface TableStart {
    /** Its lengths and areas may be converted to µm: pixel sizes of images may be known. */
    mayConvert?: true;
  }
}
