// SPDX-License-Identifier: BSL-1.0
// Named device meshes: `import axial;` is all that a user needs.
export module axial;

export import :fixed_string;
export import :layout;
export import :list;
export import :selection;
export import :base_map;
export import :algebra;
export import :dimension;
export import :computed;
export import :mesh;
export import :makers;
export import :finding;
export import :check;
export import :error;
export import :elements;
export import :communicator;
export import :collectives;
export import :device_mesh;
