import imageLinksCss from '../../linking/page/imageLinks.css';
import drawingCss from '../../drawing/page/drawing.css';
import shortcutsDialogCss from '../../pages/page/widgets/shortcutsDialog.css';
import colorChoiceCss from '../../pages/page/widgets/colorChoice.css';
import type { AddedLater } from './addedLater';
import bodyTabsCss from './controls/bodyTabs.css';
import { BodyTabsBar } from './controls/bodyTabsBar';
import { GroupsContent } from './groups/groupsContent';

/** What the table page loads after the first cells, or on first use. */
export const tableLaterParts = {
  style: shortcutsDialogCss + imageLinksCss + drawingCss + bodyTabsCss + colorChoiceCss,
  BodyTabsBar,
  GroupsContent,
};

/** The content of the later script, with other subjects' additions. */
export interface LaterParts extends Readonly<typeof tableLaterParts> {
  readonly added: AddedLater;
}
