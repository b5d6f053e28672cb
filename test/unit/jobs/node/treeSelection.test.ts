import { deepEqual } from 'node:assert/strict';
import { FileNode } from '../../../../src/uploads/node/fileNode';
import { LoadMoreNode } from '../../../../src/host/node/pagedNodes';
import { PipelineNode } from '../../../../src/jobs/node/pipelineNodes';
import { jobFromSelection, selectedIds } from '../../../../src/jobs/node/submission';

const file = (id: string) => new FileNode({ id, __t: 'File' }, undefined);
const pipeline = new PipelineNode({ id: 'p', description: 'Bright objects' });
const loadMore = new LoadMoreNode(() => Promise.resolve());

describe('A tree selection', () => {
  it('gives a job its pipeline', () => {
    deepEqual(jobFromSelection([pipeline, [pipeline]]), {
      pipelineId: 'p',
      pipelineDescription: 'Bright objects',
    });
  });

  it('gives a job its items: those selected, else the one clicked', () => {
    deepEqual(jobFromSelection([file('a')]), { filesystemIds: ['a'], items: [{ id: 'a' }] });
    deepEqual(jobFromSelection([file('a'), []]).filesystemIds, ['a']);
    const several = jobFromSelection([file('a'), [file('b'), loadMore, file('a')]]);
    deepEqual(several.filesystemIds, ['b', 'a']);
    const plate = new FileNode({ id: '1', __t: 'Folder', name: 'plate' }, undefined);
    const image = new FileNode({ id: '2', __t: 'File', name: 'coins.png' }, plate);
    deepEqual(jobFromSelection([plate, [plate, image]]).items, [
      { id: '1', name: 'plate', isFolder: true },
      { id: '2', name: 'coins.png', folder: 'plate' },
    ]);
  });

  it('names an item once that is selected in two folders', () => {
    const again = new FileNode({ id: 'a', __t: 'File' }, file('folder'));
    const { filesystemIds, items } = jobFromSelection([file('a'), [file('a'), again]]);
    deepEqual([filesystemIds, items?.length], [['a'], 1]);
    deepEqual(selectedIds([file('a'), [file('a'), again]]), ['a']);
  });

  it('says nothing of a job where nothing was clicked', () => {
    deepEqual(jobFromSelection([]), {});
    deepEqual(jobFromSelection([loadMore]), {});
  });

  it('has the IDs of its nodes', () => {
    deepEqual(selectedIds([pipeline]), ['p']);
    deepEqual(selectedIds([file('a'), [file('a'), loadMore, file('b')]]), ['a', 'b']);
    deepEqual(selectedIds([]), []);
  });
});
