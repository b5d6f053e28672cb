import { openFormulaEditor } from './formulaEditor';
import { FormulaPart } from './formulaPart';
import formulasCss from './formulas.css';

/** The formula code that loads once one is written or viewed. */
export const formulasLater = { style: formulasCss, openFormulaEditor, FormulaPart };
