// SPDX-License-Identifier: BSD-3-Clause
// fit.js - do pages fit? Looks at each frame of this document, light and dark, and writes a line
// for each fault into the element "faults", then how much it has looked at.
'use strict';

const NEAR = 1;			// pixels that rounding takes
const CONTRAST_LEAST = 4.5;	// WCAG 2.1, 1.4.3

const seen = { frames: 0, texts: 0, cards: 0, tables: 0, toggles: 0, zooms: 0 };
const lines = [];

function shown(element) {
	return element.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true });
}

// Is the box of an element scrolled, or cut, on purpose?
function scrollerOf(element) {
	for (let at = element; at; at = at.parentElement)
		if (/auto|scroll/.test(at.ownerDocument.defaultView.getComputedStyle(at).overflowX))
			return at;
	return null;
}

// Each piece of text with its boxes, a box for a line.
function textsOf(doc) {
	const found = [], range = doc.createRange();
	const walk = doc.createTreeWalker(doc.documentElement, NodeFilter.SHOW_TEXT);

	for (let node; (node = walk.nextNode());) {
		const parent = node.parentElement, text = node.data.trim();

		if (!text || parent.closest('title, style, desc') || !shown(parent))
			continue;
		range.selectNodeContents(node);
		const boxes = [...range.getClientRects()].filter(b => b.width > 0 && b.height > 0);

		if (boxes.length)
			found.push({ text, parent, boxes });
	}
	return found;
}

function meet(a, b) {
	const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
	const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);

	return width > NEAR && height > 0.25 * Math.min(a.height, b.height);
}

function inside(a, b) {
	return a.left >= b.left - NEAR && a.right <= b.right + NEAR;
}

function checkOverlaps(texts, say) {
	const boxes = texts.flatMap(t => t.boxes.map(box => ({ t, box })));

	boxes.sort((a, b) => a.box.top - b.box.top);
	for (let i = 0; i < boxes.length; i++)
		for (let k = i + 1; k < boxes.length && boxes[k].box.top < boxes[i].box.bottom; k++)
			if (boxes[i].t !== boxes[k].t && meet(boxes[i].box, boxes[k].box))
				say(`"${boxes[i].t.text}" and "${boxes[k].t.text}" overlap`);
}

// Few characters on each of many lines; letters are about half as wide as high.
function checkNarrow(texts, say) {
	for (const t of texts)
		if (t.boxes.length >= 4 && t.text.length / t.boxes.length < 5)
			say(`"${t.text}" has ${t.boxes.length} lines`);
}

// In a picture: all of the picture; else: all of the card, or of what scrolls in it.
function checkCut(texts, doc, say) {
	for (const t of texts) {
		const svg = t.parent.closest('svg');
		const card = scrollerOf(t.parent) ? null : t.parent.closest('section, figure');
		const box = (svg || card)?.getBoundingClientRect();

		if (box && !t.boxes.every(b => inside(b, box)))
			say(`"${t.text}" is cut off`);
		if (!svg)
			continue;
		if (t.boxes.some(b => b.top < box.top - NEAR || b.bottom > box.bottom + NEAR))
			say(`"${t.text}" is above or below its picture`);
	}
}

function checkCards(doc, say) {
	const root = doc.documentElement;

	if (root.localName === 'html' && root.scrollWidth > root.clientWidth)
		say(`the page is ${root.scrollWidth} wide, the window ${root.clientWidth}`);
	for (const card of doc.querySelectorAll('section, figure')) {
		seen.cards++;
		if (card.scrollWidth > card.clientWidth && !scrollerOf(card))
			say(`a card of ${card.clientWidth} has contents of ${card.scrollWidth}`);
	}
}

// In a wide window all columns are seen, unless a table says that it scrolls; in any the keyboard
// scrolls, and the first column stays.
function checkTables(doc, wide, say) {
	for (const table of doc.querySelectorAll('table')) {
		const around = table.parentElement, name = table.closest('section, main')
			.querySelector('h2')?.textContent;
		const first = table.querySelector('tbody tr > :first-child');
		const room = around.clientWidth;

		seen.tables++;
		if (wide && !around.classList.contains('scrolls') &&
				around.scrollWidth > room + NEAR)
			say(`table "${name}" is ${around.scrollWidth} wide, its card ${room}`);
		if (around.tabIndex !== 0)
			say(`table "${name}" cannot be scrolled by the keyboard`);
		around.scrollLeft = 1e6;
		const left = around.getBoundingClientRect().left - NEAR;

		if (first && first.getBoundingClientRect().left < left)
			say(`table "${name}": the first column does not stay`);
		around.scrollLeft = 0;
	}
}

function checkPictures(doc, say) {
	for (const frame of doc.querySelectorAll('.picture'))
		if (frame.scrollWidth > frame.clientWidth + NEAR)
			say(`picture "${frame.getAttribute('aria-label')}" is cut off`);
}

function checkSpans(doc, say) {
	for (const row of doc.querySelectorAll('tbody tr')) {
		const table = row.closest('table');

		const text = row.textContent.slice(0, 40);
		const columns = table.querySelectorAll('thead th').length;

		if (columns && row.children.length !== columns)
			say(`a row has ${row.children.length} cells: "${text}"`);
	}
}

function checkRanges(doc, texts, say) {
	const marks = [...doc.querySelectorAll('.range, .spread')].filter(shown)
		.map(m => m.getBoundingClientRect()).filter(b => b.width > 12);

	for (const t of texts)
		for (const box of t.boxes)
			if (marks.some(m => m.top < box.bottom - 2 && m.bottom > box.top + 2 &&
					m.left < box.right - 2 && m.right > box.left + 2))
				say(`a range strikes out "${t.text}"`);
}

// A legend hides curves, and shows them again; folded columns can be unfolded.
function checkToggles(doc, say) {
	const visible = () => [...doc.querySelectorAll('*')].filter(shown).length;

	for (const box of doc.querySelectorAll('input[type=checkbox]')) {
		const before = visible();

		seen.toggles++;
		box.focus();
		if (doc.activeElement !== box)
			say('a toggle is not for the keyboard');
		box.click();
		if (visible() === before)
			say(`toggle "${box.parentElement.textContent}" does nothing`);
		box.click();
		if (visible() !== before)
			say(`toggle "${box.parentElement.textContent}" does not go back`);
	}
}

// A timeline shows a part of itself by buttons, a number and keys, and all of it again.
function checkZooms(doc, say) {
	for (const figure of doc.querySelectorAll('.timeline')) {
		const view = figure.querySelector('svg svg');
		const frame = figure.querySelector('.picture');
		const seenOf = () => view.getAttribute('viewBox'), all = seenOf();
		const input = figure.querySelector('input[type=number]');
		const key = (key, level) => () => frame.dispatchEvent(
			new doc.defaultView.KeyboardEvent('keydown', { key, ...level }));
		const click = name => () => figure.querySelector(`button[value=${name}]`).click();
		const change = (by, what) => {
			const before = seenOf();

			what();
			if (seenOf() === before)
				say(`zoom by ${by} does nothing`);
		};

		seen.zooms++;
		for (const name of ['in', 'later', 'earlier'])
			change(name, click(name));
		checkOverlaps(textsOf(doc), say);
		checkCut(textsOf(doc), doc, say);
		change('a number', () => {
			input.value = input.min;
			input.dispatchEvent(new doc.defaultView.Event('change'));
		});
		change('the key +', key('+'));
		change('the key ]', key(']', { ctrlKey: true, altKey: true }));
		change('the key 0', key('0'));
		change('in', click('in'));
		change('out', click('out'));
		if (seenOf() !== all)
			say(`zoom does not go back to ${all}, but to ${seenOf()}`);
		if (!figure.querySelector('output').textContent)
			say('a zoom does not say what is shown');
	}
}

function colourOf(text) {
	const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
	const linear = c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;

	return { a, light: 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b) };
}

function checkContrast(texts, say) {
	for (const t of texts) {
		const view = t.parent.ownerDocument.defaultView;
		let behind = { a: 0 };

		if (t.parent.closest('svg'))
			continue;
		for (let at = t.parent; at && behind.a < 1; at = at.parentElement)
			behind = colourOf(view.getComputedStyle(at).backgroundColor);
		if (behind.a < 1)
			behind = { light: 1 };
		const ink = colourOf(view.getComputedStyle(t.parent).color);
		const ratio = (Math.max(ink.light, behind.light) + 0.05) /
			(Math.min(ink.light, behind.light) + 0.05);

		if (ratio < CONTRAST_LEAST)
			say(`"${t.text}" has a contrast of ${ratio.toFixed(1)}`);
	}
}

function checkTheme(frame, doc, theme) {
	const said = new Map();
	const say = text => said.set(text, (said.get(text) || 0) + 1);
	const wide = frame.clientWidth >= 1200;

	doc.documentElement.setAttribute('data-theme', theme);
	const texts = textsOf(doc);

	seen.texts += texts.length;
	checkOverlaps(texts, say);
	checkNarrow(texts, say);
	checkCut(texts, doc, say);
	checkRanges(doc, texts, say);
	checkContrast(texts, say);
	checkCards(doc, say);
	checkTables(doc, wide, say);
	if (wide)
		checkPictures(doc, say);
	checkSpans(doc, say);
	checkToggles(doc, say);
	checkZooms(doc, say);
	for (const [text, times] of said)
		lines.push(`fault: ${frame.title} ${frame.clientWidth} ${theme}: ${text}` +
			(times > 1 ? ` (${times} times)` : ''));
	return doc.defaultView.getComputedStyle(doc.body || doc.documentElement).colorScheme + ' ' +
		[...doc.querySelectorAll('body, .page')].map(
			e => doc.defaultView.getComputedStyle(e)[e.localName === 'body' ?
				'backgroundColor' : 'fill']).join();
}

window.addEventListener('load', () => {
	for (const frame of document.querySelectorAll('iframe')) {
		const doc = frame.contentDocument;
		const [light, dark] = ['light', 'dark'].map(theme => checkTheme(frame, doc, theme));

		seen.frames++;
		if (light === dark)
			lines.push(`fault: ${frame.title}: light and dark are the same: ${light}`);
	}
	lines.push('seen: ' + Object.entries(seen).map(([name, n]) => `${n} ${name}`).join(', '));
	document.getElementById('faults').textContent = lines.join('\n') + '\n';
});
