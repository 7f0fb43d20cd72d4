// SPDX-License-Identifier: BSL-1.0
// The collectives as members of a mesh: those of communicator<Key>(), by the same names, along one axis or several.
module;
#include <type_traits>

export module axial:collectives;
export import :communicator;

namespace axial {

template <class T>
inline constexpr bool is_tag = false;
template <fixed_string Name>
inline constexpr bool is_tag<axis_tag<Name>> = true;

/// True for a first argument that is data, not the tag of an axis.
template <class First>
concept data_argument = !is_tag<std::remove_cvref_t<First>>;

/// The axis that a collective is along: one of the mesh, or several flattened to one.
template <class M, fixed_string... Keys>
struct axis_along : picked_axis<M, Keys...> {};
template <class M, fixed_string First, fixed_string Second, fixed_string... Others>
struct axis_along<M, First, Second, Others...> {
  using part = made<M, submesh_of<M, First, Second, Others...>>;
  using flat = flatten_of<part, joined_name<part, First, Second, Others...>, First, Second, Others...>;
  using type = axis_t<made<part, flat>, flat::result.ok() && !value_of<part>.any ? 0 : max_dimensions>;
};

/// The collectives of communicator<Key>() by the same names, for Self, a mesh of type M that has `communicator_for`.
/// The axis is named as everywhere, by a literal, a tag, an index, or not at all where there is one; several names call
/// along the axis that they make when flattened in this order, whose communicator the first such call makes.
template <class Self, class M>
class Collectives {
  template <fixed_string... Key>
  using axis_type = typename axis_along<typename M::base::mesh, Key...>::type;
  template <fixed_string... Key>
  using peer_type = Peer<axis_type<Key...>::name, axis_type<Key...>::extent>;
  const Self& self() const { return static_cast<const Self&>(*this); }

 public:
  template <fixed_string... Key, data_argument First, class... Rest>
  auto all_reduce(First&& first, Rest&&... rest) const {
    return self().template communicator_for<"all_reduce", Rule::some, Key...>().all_reduce(
        static_cast<First&&>(first), static_cast<Rest&&>(rest)...);
  }
  template <fixed_string Key, class... Arguments>
  auto all_reduce(axis_tag<Key>, Arguments&&... arguments) const {
    return self().template communicator_for<"all_reduce", Rule::some, Key>().all_reduce(
        static_cast<Arguments&&>(arguments)...);
  }
  template <fixed_string... Key, data_argument First, class... Rest>
  auto all_gather(First&& first, Rest&&... rest) const {
    return self().template communicator_for<"all_gather", Rule::some, Key...>().all_gather(
        static_cast<First&&>(first), static_cast<Rest&&>(rest)...);
  }
  template <fixed_string Key, class... Arguments>
  auto all_gather(axis_tag<Key>, Arguments&&... arguments) const {
    return self().template communicator_for<"all_gather", Rule::some, Key>().all_gather(
        static_cast<Arguments&&>(arguments)...);
  }
  template <fixed_string... Key, data_argument First, class... Rest>
  auto reduce_scatter(First&& first, Rest&&... rest) const {
    return self().template communicator_for<"reduce_scatter", Rule::some, Key...>().reduce_scatter(
        static_cast<First&&>(first), static_cast<Rest&&>(rest)...);
  }
  template <fixed_string Key, class... Arguments>
  auto reduce_scatter(axis_tag<Key>, Arguments&&... arguments) const {
    return self().template communicator_for<"reduce_scatter", Rule::some, Key>().reduce_scatter(
        static_cast<Arguments&&>(arguments)...);
  }
  template <fixed_string... Key, data_argument First, class... Rest>
  auto all_to_all(First&& first, Rest&&... rest) const {
    return self().template communicator_for<"all_to_all", Rule::some, Key...>().all_to_all(
        static_cast<First&&>(first), static_cast<Rest&&>(rest)...);
  }
  template <fixed_string Key, class... Arguments>
  auto all_to_all(axis_tag<Key>, Arguments&&... arguments) const {
    return self().template communicator_for<"all_to_all", Rule::some, Key>().all_to_all(
        static_cast<Arguments&&>(arguments)...);
  }
  template <fixed_string... Key, data_argument First, class... Rest>
  auto scan(First&& first, Rest&&... rest) const {
    return self().template communicator_for<"scan", Rule::some, Key...>().scan(static_cast<First&&>(first),
                                                                               static_cast<Rest&&>(rest)...);
  }
  template <fixed_string Key, class... Arguments>
  auto scan(axis_tag<Key>, Arguments&&... arguments) const {
    return self().template communicator_for<"scan", Rule::some, Key>().scan(static_cast<Arguments&&>(arguments)...);
  }
  template <fixed_string... Key, data_argument First, class... Rest>
  auto exclusive_scan(First&& first, Rest&&... rest) const {
    return self().template communicator_for<"exclusive_scan", Rule::some, Key...>().exclusive_scan(
        static_cast<First&&>(first), static_cast<Rest&&>(rest)...);
  }
  template <fixed_string Key, class... Arguments>
  auto exclusive_scan(axis_tag<Key>, Arguments&&... arguments) const {
    return self().template communicator_for<"exclusive_scan", Rule::some, Key>().exclusive_scan(
        static_cast<Arguments&&>(arguments)...);
  }

  // Those with a root name its type, so that the compiler checks a constant.
  template <fixed_string... Key, data_argument X>
  auto broadcast(X&& x, peer_type<Key...> root) const {
    return self().template communicator_for<"broadcast", Rule::some, Key...>().broadcast(static_cast<X&&>(x), root);
  }
  template <fixed_string... Key, data_argument In, class Out>
  void broadcast(const In& in, Out&& out, peer_type<Key...> root) const {
    self().template communicator_for<"broadcast", Rule::some, Key...>().broadcast(in, out, root);
  }
  template <fixed_string Key, class X>
  auto broadcast(axis_tag<Key>, X&& x, peer_type<Key> root) const {
    return self().template communicator_for<"broadcast", Rule::some, Key>().broadcast(static_cast<X&&>(x), root);
  }
  template <fixed_string Key, class In, class Out>
  void broadcast(axis_tag<Key>, const In& in, Out&& out, peer_type<Key> root) const {
    self().template communicator_for<"broadcast", Rule::some, Key>().broadcast(in, out, root);
  }
  template <fixed_string... Key, data_argument X>
  auto gather(X&& x, peer_type<Key...> root) const {
    return self().template communicator_for<"gather", Rule::some, Key...>().gather(static_cast<X&&>(x), root);
  }
  template <fixed_string... Key, data_argument In, class Out>
  void gather(const In& in, Out&& out, peer_type<Key...> root) const {
    self().template communicator_for<"gather", Rule::some, Key...>().gather(in, out, root);
  }
  template <fixed_string Key, class X>
  auto gather(axis_tag<Key>, X&& x, peer_type<Key> root) const {
    return self().template communicator_for<"gather", Rule::some, Key>().gather(static_cast<X&&>(x), root);
  }
  template <fixed_string Key, class In, class Out>
  void gather(axis_tag<Key>, const In& in, Out&& out, peer_type<Key> root) const {
    self().template communicator_for<"gather", Rule::some, Key>().gather(in, out, root);
  }
  template <fixed_string... Key, data_argument X>
  auto scatter(X&& x, peer_type<Key...> root) const {
    return self().template communicator_for<"scatter", Rule::some, Key...>().scatter(static_cast<X&&>(x), root);
  }
  template <fixed_string... Key, data_argument In, class Out>
  void scatter(const In& in, Out&& out, peer_type<Key...> root) const {
    self().template communicator_for<"scatter", Rule::some, Key...>().scatter(in, out, root);
  }
  template <fixed_string Key, class X>
  auto scatter(axis_tag<Key>, X&& x, peer_type<Key> root) const {
    return self().template communicator_for<"scatter", Rule::some, Key>().scatter(static_cast<X&&>(x), root);
  }
  template <fixed_string Key, class In, class Out>
  void scatter(axis_tag<Key>, const In& in, Out&& out, peer_type<Key> root) const {
    self().template communicator_for<"scatter", Rule::some, Key>().scatter(in, out, root);
  }
  template <fixed_string... Key, data_argument X, Operator Op>
  auto reduce(X&& x, Reduction<Op> op, peer_type<Key...> root) const {
    return self().template communicator_for<"reduce", Rule::some, Key...>().reduce(static_cast<X&&>(x), op, root);
  }
  template <fixed_string... Key, data_argument In, class Out, Operator Op>
  void reduce(const In& in, Out&& out, Reduction<Op> op, peer_type<Key...> root) const {
    self().template communicator_for<"reduce", Rule::some, Key...>().reduce(in, out, op, root);
  }
  template <fixed_string Key, class X, Operator Op>
  auto reduce(axis_tag<Key>, X&& x, Reduction<Op> op, peer_type<Key> root) const {
    return self().template communicator_for<"reduce", Rule::some, Key>().reduce(static_cast<X&&>(x), op, root);
  }
  template <fixed_string Key, class In, class Out, Operator Op>
  void reduce(axis_tag<Key>, const In& in, Out&& out, Reduction<Op> op, peer_type<Key> root) const {
    self().template communicator_for<"reduce", Rule::some, Key>().reduce(in, out, op, root);
  }

  template <fixed_string... Key>
  void barrier() const {
    self().template communicator_for<"barrier", Rule::some, Key...>().barrier();
  }
  template <fixed_string Key>
  void barrier(axis_tag<Key>) const {
    self().template communicator_for<"barrier", Rule::some, Key>().barrier();
  }
};

}  // namespace axial
