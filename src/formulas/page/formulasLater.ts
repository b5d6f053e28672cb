import { openFormulaEditor } from './formulaEditor';
import { FormulaPart } from './formulaPart';
import formulasCss from './formulas.css';

/** What formulas need once one is written or looked at. */
export const formulasLater = { style: formulasCss, openFormulaEditor, FormulaPart };
