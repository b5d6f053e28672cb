import { deepEqual, equal } from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { parseSource, readSources } from './sourceFile';
import { forbiddenWithinWebview, unknownWebviewRooms } from './webviewRooms';

describe('The rooms of the pages', () => {
  it('are all known', () => {
    const folders = readdirSync('src/webview', { withFileTypes: true }).filter(each => each.isDirectory());
    deepEqual(unknownWebviewRooms(folders.map(({ name }) => name)), []);
  });

  it('follow their import table', () => {
    deepEqual(readSources().flatMap(forbiddenWithinWebview), []);
  });

  it('never import another room from widgets, nor plots, table and masks each other', () => {
    const problems = (path: string, specifier: string) =>
      forbiddenWithinWebview(parseSource(path, `import { a } from '${specifier}';`)).length;
    equal(problems('src/webview/widgets/menu.ts', '../page/pageText'), 1);
    equal(problems('src/webview/plots/plotCard.ts', '../table/tableModel'), 1);
    equal(problems('src/webview/masks/stage/imageScene.ts', '../../table/tableModel'), 1);
    equal(problems('src/webview/table/grid/tableGrid.ts', '../../plots/plotDrawer'), 1);
    equal(problems('src/webview/table/tablePage.ts', '../plots/plotDrawer'), 0);
    equal(problems('src/webview/table/grid/tableGrid.ts', '../../widgets/menu'), 0);
    equal(problems('src/webview/plots/plotCard.ts', '../../model/lasso'), 0);
  });
});
