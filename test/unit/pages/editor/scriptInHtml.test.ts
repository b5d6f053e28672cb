import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import { scriptInHtml } from '../../../../src/pages/editor/pagePolicy';

describe('a script within a page', () => {
  it('has nothing that would end its element or begin a comment, and means the same', () => {
    const code = '["</script>", "</SCRIPT >", "<!-- <script>", /<\\/script/.test("</script"), 1 < 2].join()';
    const written = scriptInHtml(code, '');
    assert.doesNotMatch(written, /<(!--|\/?script)/i);
    assert.equal(runInNewContext(written), runInNewContext(code));
  });

  it('names its source map by its full address', () => {
    const written = scriptInHtml(
      'run();\n//# sourceMappingURL=masks.js.map\n',
      'https://host/$&/masks.js.map',
    );
    assert.equal(written, 'run();\n//# sourceMappingURL=https://host/$&/masks.js.map\n');
  });

  it('is not changed where there is no need to', () => {
    const code = 'for (let at = 0; at<-1; at++) run("<div>", `${at}`);';
    assert.equal(scriptInHtml(code, 'elsewhere'), code);
  });
});
