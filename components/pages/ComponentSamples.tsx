/** The part without scripts of the development page that shows every component. */
import { Field } from "../Field.tsx";
import { StateNote } from "../StateNote.tsx";

/** Shows the components and styles that need no scripts, for development. */
export function ComponentSamples() {
  return (
    <>
      <h2>Buttons</h2>
      <p class="actions">
        <button type="button" class="button primary">Primary</button>
        <button type="button" class="button">Plain</button>
        <button type="button" class="button quiet">Quiet</button>
        <button type="button" class="button small">Small</button>
        <button type="button" class="button primary" disabled>Disabled</button>
        <button type="button" class="button primary" aria-busy="true">Working</button>
        <a class="button" href="#main">A link</a>
      </p>

      <h2>Fields</h2>
      <div class="prose">
        <Field name="plain" label="Name">
          {(control) => <input {...control} autocomplete="off" />}
        </Field>
        <Field name="hinted" label="Email" hint="We reply to this address." required>
          {(control) => <input {...control} type="email" value="person@example.org" />}
        </Field>
        <Field name="wrong" label="Mobile" problem="Enter a valid phone number.">
          {(control) => <input {...control} value="12" />}
        </Field>
        <Field name="choice" label="Kind of enquiry">
          {(control) => (
            <select {...control}>
              <option>Investor</option>
              <option>Technical</option>
            </select>
          )}
        </Field>
        <Field name="long" label="Message">
          {(control) => <textarea {...control} />}
        </Field>
      </div>

      <h2>Cards</h2>
      <ul class="cards">
        <li class="card">
          <h3>A card</h3>
          <p>With a sentence of text.</p>
        </li>
        <li class="card">
          <h3>Another</h3>
          <p>Cards in a row have the same height.</p>
        </li>
      </ul>

      <h2>Pills</h2>
      <p class="actions">
        <span class="pill">Restricted</span>
        <span class="pill good">Active</span>
        <span class="pill warn">Pending</span>
        <span class="pill bad">Failed</span>
      </p>

      <h2>Table</h2>
      <div class="table-scroll" role="region" aria-label="An example table" tabindex={0}>
        <table class="table">
          <caption>Numbers are right-aligned and monospaced</caption>
          <thead>
            <tr>
              <th scope="col">Kind</th>
              <th scope="col">Status</th>
              <th scope="col" class="figure-cell">Amount</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <td>Checking</td>
              <td>
                <span class="pill good">Active</span>
              </td>
              <td class="figure-cell">1,204.50</td>
            </tr>
            <tr>
              <td>Savings</td>
              <td>
                <span class="pill">Restricted</span>
              </td>
              <td class="figure-cell">88.00</td>
            </tr>
          </tbody>
        </table>
      </div>

      <h2>States</h2>
      <div class="cards">
        <StateNote kind="empty" title="Nothing here yet">
          <p>New items will appear here.</p>
        </StateNote>
        <StateNote kind="error" title="Could not load this">
          <button type="button" class="button small">Try again</button>
        </StateNote>
      </div>
    </>
  );
}
