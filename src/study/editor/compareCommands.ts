import * as vscode from 'vscode';
import { namedColumn, namedColumns, optionalColumns, optionalFilters } from '../../columns/namedFilter';
import { command } from '../../host/editor/command';
import { pathOnDisk } from '../../host/editor/uriOptions';
import { listOf, optionalChoice, optionalFlag, optionalOneOf, optionalText } from '../../host/options';
import {
  type ProgramTableDependencies,
  programTables,
  tableOptions,
} from '../../session/editor/programTables';
import { namedMeasure, namedMeasures } from '../namedMeasure';
import { compareAsProgram, saveGroupsAsProgram } from '../node/conditionPrograms';
import { unitStatisticIds } from '../../columns/unitStatistics';

/** Commands for programs about groups and conditions. */
export function compareCommands({ sessions, results }: ProgramTableDependencies) {
  const withTable = programTables({ sessions, results }, 'groups');
  return {
    saveGroups: command({
      options: {
        ...tableOptions,
        what: optionalOneOf(['objects', 'aggregate']),
        by: namedColumns,
        measures: namedMeasures,
        statistics: listOf(unitStatisticIds),
        of: optionalOneOf(['objects', 'images', 'replicates']),
        replicate: optionalColumns,
        technicalReplicate: optionalColumns,
        filters: optionalFilters,
        destination: pathOnDisk,
        overwrite: optionalFlag,
      },
      program: call => withTable(call, (table, groups) => saveGroupsAsProgram(vscode.l10n.t, table, groups)),
    }),
    compareConditions: command({
      options: {
        ...tableOptions,
        measure: namedMeasure,
        condition: namedColumn,
        replicate: optionalColumns,
        technicalReplicate: optionalColumns,
        reference: optionalText,
        paired: optionalChoice,
        scale: optionalOneOf(['difference', 'ratio', 'logit']),
        intervals: optionalOneOf(['unadjusted', 'simultaneous']),
        filters: optionalFilters,
      },
      program: call =>
        withTable(call, (table, comparison) => compareAsProgram(vscode.l10n.t, table, comparison)),
    }),
  };
}
